"""Names of the scheduling policies."""

POLICIES = ("fr_fcfs", "fcfs", "priority")
FR_FCFS, FCFS, PRIORITY = range(len(POLICIES))
