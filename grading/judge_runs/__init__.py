"""
Runs of judges: how rules, prompts, endpoints, limits and budget come together. No database.

`configuration` says what is asked and `items` what is judged. `judging.Bench` takes one item to its
`records.Record`: rules, prompts (`kinds`), calls with their retries (`asking`), shared limits
(`calls`). `running.Run` does it for a file of items, in the files of `files`; whoever keeps records
elsewhere uses the bench.
"""
