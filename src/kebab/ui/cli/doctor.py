"""`kebab doctor`."""

import click

from kebab.core.inspection import Check, DoctorReport
from kebab.ui.cli.session import colour_wanted, current, example, shared_options
from kebab.ui.terminal import Style

UNHEALTHY = 3


@click.command(
    short_help="Check the installation and say how to mend it.", epilog=example("kebab doctor", "kebab doctor --repair")
)
@click.option("--repair", is_flag=True, help="Rebuild what can be rebuilt from the index itself.")
@shared_options
def doctor(*, repair: bool) -> int:
    """Check the installation and say how to mend it. Exits 3 if something is wrong."""
    session = current()
    with session.app() as app:
        report = app.doctor(repair=repair)
    if session.json:
        from kebab.wire.introspection import encode_doctor

        session.emit(encode_doctor(report))
    else:
        _print(report)
    return 0 if report.ok else UNHEALTHY


def _print(report: DoctorReport) -> None:
    style = Style(on=colour_wanted())
    for line in report.repaired:
        click.echo(f"repaired: {line}")
    for check in report.checks:
        click.echo(_line(check, style))
        if check.hint:
            click.echo(f"{'':24}hint: {check.hint}")
    failed = sum(not check.ok for check in report.checks)
    if failed:
        click.echo(f"\n{failed} check{'s' if failed != 1 else ''} failed.")


def _line(check: Check, style: Style) -> str:
    mark = style.good("✓") if check.ok else style.bad("✗")
    return f"{mark} {check.name:<21} {check.detail}"
