"""
Give each grade that was made before there were runs the place it had: the newest one counts.

The newest grades of a benchmark's answers become its adopted run, those before them a run that was
set aside, and so on. Needed only where there are such grades: no first migration has to run it.
"""

FILL_RUNS = """
SET CONSTRAINTS ALL IMMEDIATE;
CREATE TEMPORARY TABLE placed ON COMMIT DROP AS
SELECT one.id, problem.benchmark_id, one.judge_version, one.created_at,
       row_number() OVER (PARTITION BY attempt_id ORDER BY one.id DESC) AS place
FROM grading_grade one
JOIN grading_attempt attempt ON attempt.id = one.attempt_id
JOIN curation_revision revision ON revision.id = attempt.revision_id
JOIN curation_problem problem ON problem.id = revision.problem_id;
CREATE TEMPORARY TABLE made (id bigint, benchmark_id bigint, place bigint) ON COMMIT DROP;
INSERT INTO made
SELECT nextval(pg_get_serial_sequence('grading_gradingrun', 'id')), benchmark_id, place
FROM placed GROUP BY benchmark_id, place;
INSERT INTO grading_gradingrun
    (id, benchmark_id, grader_version, why, created_at, adopted_at, set_aside_at)
SELECT made.id, made.benchmark_id, max(judge_version), 'Graded before there were grading runs.',
       min(created_at), min(created_at), CASE WHEN made.place > 1 THEN now() END
FROM made JOIN placed USING (benchmark_id, place)
GROUP BY made.id, made.benchmark_id, made.place;
ALTER TABLE grading_grade DISABLE TRIGGER USER;
UPDATE grading_grade SET run_id = made.id
FROM placed JOIN made USING (benchmark_id, place) WHERE placed.id = grading_grade.id;
SET CONSTRAINTS ALL IMMEDIATE;
ALTER TABLE grading_grade ENABLE TRIGGER USER;
"""
