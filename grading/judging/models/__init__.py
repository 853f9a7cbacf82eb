"""What is kept of judges: prompts, configurations, runs, calls, judgements, rulings."""
