"""The tables of the queue for many processes. A file has one process, which needs none."""

from importlib.resources import files

from alembic import op

revision = "0016"
down_revision: str | None = "0015"

SCHEMA = files("procrastinate.sql") / "schema.sql"
"""Comes with the library, whose version pyproject.toml holds to one schema: raise it together with a migration of its steps."""

FETCH = """
CREATE FUNCTION baku_fetch_job(queues varchar[], worker bigint) RETURNS procrastinate_jobs
LANGUAGE plpgsql SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off AS $$
DECLARE
    job procrastinate_jobs;
    taken procrastinate_jobs;
BEGIN
    FOR job IN SELECT * FROM procrastinate_jobs WHERE status = 'todo' ORDER BY priority DESC, id LOOP
        CONTINUE WHEN NOT job.queue_name = ANY(queues) OR job.scheduled_at > now();
        CONTINUE WHEN EXISTS (
            SELECT FROM procrastinate_jobs AS other
            WHERE other.lock = job.lock AND (
                other.status::text = 'doing'
                OR (other.status::text = 'todo' AND (other.priority, -other.id) > (job.priority, -job.id))
            )
        );
        UPDATE procrastinate_jobs SET status = 'doing', worker_id = worker
        WHERE id = (SELECT id FROM procrastinate_jobs WHERE id = job.id AND status::text = 'todo' FOR UPDATE SKIP LOCKED)
        RETURNING * INTO taken;
        IF FOUND THEN
            RETURN taken;
        END IF;
    END LOOP;
    RETURN NULL;
END;
$$;
CREATE INDEX baku_jobs_lock ON procrastinate_jobs (lock);
"""
"""The library's own function joins the table with itself, by a plan from when the table was empty: with 10,000 rows that takes 20 ms.

Here each step has one index to go along, whatever the statistics say: a status that is cast to text lets no partial index serve.
"""

WAKE_ON_FREED_LOCK = """
CREATE FUNCTION baku_wake_for_lock() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
    next_job record;
BEGIN
    SELECT id, queue_name FROM procrastinate_jobs
    WHERE lock = OLD.lock AND status::text = 'todo' AND (scheduled_at IS NULL OR scheduled_at <= now()) LIMIT 1 INTO next_job;
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


def upgrade() -> None:
    connection = op.get_bind()
    if connection.dialect.name != "postgresql":
        return
    for statements in (SCHEMA.read_text(encoding="utf-8"), FETCH, WAKE_ON_FREED_LOCK):
        connection.exec_driver_sql(statements, execution_options={"no_parameters": True})
    # Rows live for a moment here, so that what they leave has to be cleared away often, whatever the size.
    for table in ("procrastinate_jobs", "procrastinate_events"):
        op.execute(f"ALTER TABLE {table} SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000)")
