"""`python -m kebab`."""

from kebab.ui.cli.main import run

if __name__ == "__main__":
    run()
