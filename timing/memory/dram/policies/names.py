"""Names of the scheduling policies."""

POLICIES = ("fr_fcfs", "fcfs", "priority", "dash")
FR_FCFS, FCFS, PRIORITY, DASH = range(len(POLICIES))
