"""How the app is laid out: one line per bar, lists and preview share the rest, side by side where there is room."""

CSS = """
Screen { layout: vertical; background: ansi_default; color: ansi_default; }
.bar { height: 1; width: 100%; text-wrap: nowrap; text-overflow: ellipsis; }
.line { height: 1; }
.label { width: auto; }
Input, Input:focus { width: 1fr; background: ansi_default; color: ansi_default; background-tint: ansi_default 0%; }
#work { layout: vertical; height: 1fr; }
#panes { height: 1fr; }
.pane { height: 1fr; }
#source { height: 1fr; }
#work.wide { layout: horizontal; }
#work.wide #panes, #work.wide #source { width: 1fr; height: 100%; }
Rows, Preview {
    height: 1fr; overflow-x: hidden; overflow-y: auto; scrollbar-size-vertical: 0;
    background: ansi_default; color: ansi_default;
}
ModalScreen { background: ansi_default; }
.dialog { height: 100%; }
#notes { height: 1fr; }
"""
# From this width on, list and preview stand side by side.
WIDE = 120
