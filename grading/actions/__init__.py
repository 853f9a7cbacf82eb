"""What people do with answers, endpoints, trials and runs of judges: who may, and what follows."""
