"""The tables of the queue for many processes. A file has one process, which needs none."""

from importlib.resources import files

from alembic import op

revision = "0016"
down_revision: str | None = "0015"

SCHEMA = files("procrastinate.sql") / "schema.sql"
"""Comes with the library, whose version pyproject.toml holds to one schema: raise it together with a migration of its steps."""

WAKE_ON_FREED_LOCK = """
CREATE FUNCTION baku_wake_for_lock() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    next_job record;
BEGIN
    SELECT id, queue_name FROM procrastinate_jobs
    WHERE lock = OLD.lock AND status = 'todo' AND (scheduled_at IS NULL OR scheduled_at <= now())
    ORDER BY priority DESC, id LIMIT 1 INTO next_job;
    IF FOUND THEN
        PERFORM pg_notify(
            'procrastinate_queue_v1#' || next_job.queue_name, json_build_object('type', 'job_inserted', 'job_id', next_job.id)::text
        );
    END IF;
    RETURN NULL;
END;
$$;
CREATE TRIGGER baku_wake_on_end AFTER DELETE ON procrastinate_jobs
    FOR EACH ROW WHEN (OLD.status = 'doing' AND OLD.lock IS NOT NULL) EXECUTE FUNCTION baku_wake_for_lock();
CREATE TRIGGER baku_wake_on_handing_back AFTER UPDATE OF status ON procrastinate_jobs
    FOR EACH ROW WHEN (OLD.status = 'doing' AND NEW.status <> 'doing' AND OLD.lock IS NOT NULL) EXECUTE FUNCTION baku_wake_for_lock();
"""
"""The library finds a job whose lock has become free only by looking again after some time."""


PLAN = ("enable_seqscan = off", "enable_sort = off", "enable_hashjoin = off", "enable_mergejoin = off")
"""The next job is looked for along the index, whatever is known of the table: it is empty when the plan is made, and may be full later."""


def upgrade() -> None:
    connection = op.get_bind()
    if connection.dialect.name != "postgresql":
        return
    for statements in (SCHEMA.read_text(encoding="utf-8"), WAKE_ON_FREED_LOCK):
        connection.exec_driver_sql(statements, execution_options={"no_parameters": True})
    op.execute("CREATE INDEX baku_jobs_lock ON procrastinate_jobs (lock) WHERE status IN ('todo', 'doing')")
    for setting in PLAN:
        op.execute(f"ALTER FUNCTION procrastinate_fetch_job_v2 SET {setting}")
    # Rows live for a moment here, so that what they leave has to be cleared away often, whatever the size.
    for table in ("procrastinate_jobs", "procrastinate_events"):
        op.execute(f"ALTER TABLE {table} SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000)")
