"""`kebab jobs list|show|cancel`."""

from typing import TYPE_CHECKING

import click

from kebab.ui.cli.session import current, example, shared_options
from kebab.ui.terminal import printable

if TYPE_CHECKING:
    from kebab.core.job import Job


@click.group("jobs", short_help="Show long work and stop it.", epilog=example("kebab jobs list"))
@shared_options
def jobs_group() -> None:
    """Show long work and stop it.

    A job is work over what is stored already, such as the vectors of another model. `kebab ingest` does it, and takes
    it up again where it was left.
    """


@jobs_group.command("list", epilog=example("kebab jobs list", "kebab jobs list --json"))
@shared_options
def list_() -> int:
    """List jobs, newest first."""
    session = current()
    with session.app() as app:
        jobs = app.list_jobs()
    if session.json:
        from kebab.wire.models import encode_job_list

        session.emit(encode_job_list(jobs))
        return 0
    counts = [f"{job.done}/{job.total}" for job in jobs]
    width = max(map(len, counts), default=0)
    for job, count in zip(jobs, counts, strict=True):
        what = printable(f"{job.kind} {_aim(job)}")
        click.echo(f"{job.job_id}  {job.status:<9}  {count:>{width}}  {job.created_at}  {what}")
    if not jobs:
        session.talk("no jobs")
    return 0


@jobs_group.command("show", epilog=example("kebab jobs show job_3f9a2c10ee4d", "kebab jobs show 3f9a --json"))
@click.argument("job_id", metavar="ID")
@shared_options
def show(job_id: str) -> int:
    """Show a job by id or the beginning of its id."""
    session = current()
    with session.app() as app:
        job = app.find_job(job_id)
    if session.json:
        from kebab.wire.models import encode_job

        session.emit(encode_job(job))
        return 0
    facts = {
        "job": f"{job.job_id} ({job.kind})",
        "status": f"{job.status}, {job.done} of {job.total} done",
        "aim": _aim(job),
        "created": job.created_at,
        "updated": job.updated_at,
        "finished": job.finished_at,
        "error": job.error,
    }
    for name, value in facts.items():
        if value:
            click.echo(f"{name:<10}{printable(value)}")
    return 0


@jobs_group.command("cancel", epilog=example("kebab jobs cancel job_3f9a2c10ee4d"))
@click.argument("job_id", metavar="ID")
@shared_options
def cancel(job_id: str) -> int:
    """Ask a job to stop, also while another process works on it.

    What is done is kept. The next `kebab ingest` begins a new job for the rest.
    """
    session = current()
    with session.app() as app:
        job, by_us = app.cancel_job(job_id)
    if session.json:
        from kebab.wire.models import encode_job

        session.emit(encode_job(job))
    elif by_us:
        click.echo(f"canceled {job.job_id}, {job.done} of {job.total} done")
        session.talk("what is done is kept; the next `kebab ingest` does the rest")
    else:
        click.echo(f"{job.job_id} had ended before: {job.status}")
    return 0


def _aim(job: "Job") -> str:
    """What a job works towards, in the words of its payload: the model first, where there is one."""
    rest = [f"{key} {value}" for key, value in job.payload.items() if key != "model"]
    return ", ".join([str(job.payload["model"]), *rest] if "model" in job.payload else rest)
