"""Decisions and the state in words: sentences, reasons and plain-text tables."""

from workbench.explain.applications import application_rows, placement_rows, state_rows
from workbench.explain.asks import log_rows, shortfall_rows
from workbench.explain.autoscaling import autoscaling_rows
from workbench.explain.balance import balance_rows
from workbench.explain.changes import change_rows
from workbench.explain.events import event_rows
from workbench.explain.headroom import headroom_rows
from workbench.explain.limits import limit_rows
from workbench.explain.placement import rule_rows, why_placed
from workbench.explain.preemption import attempts, candidate_rows, victim_node_rows, victim_rows, why_preempt
from workbench.explain.records import record_rows
from workbench.explain.refusals import reason, short_name
from workbench.explain.remedy import remedy_change, remedy_sentence, what_would_help
from workbench.explain.running import running_rows
from workbench.explain.settings import setting_rows
from workbench.explain.standings import standing_rows
from workbench.explain.tables import Table, node_rows, order_rows, pending_rows, queue_rows, render, step_rows, waiting_rows
from workbench.explain.upgrade import upgrade
from workbench.explain.usage import usage_rows
from workbench.explain.use_over_time import time_rows, use_change_rows
from workbench.explain.verdicts import verdict_rows
from workbench.explain.why import Explanation, title, why, why_not

__all__ = [
    "Explanation",
    "Table",
    "application_rows",
    "attempts",
    "autoscaling_rows",
    "balance_rows",
    "candidate_rows",
    "change_rows",
    "event_rows",
    "headroom_rows",
    "limit_rows",
    "log_rows",
    "node_rows",
    "order_rows",
    "pending_rows",
    "placement_rows",
    "queue_rows",
    "reason",
    "record_rows",
    "remedy_change",
    "remedy_sentence",
    "render",
    "rule_rows",
    "running_rows",
    "setting_rows",
    "short_name",
    "shortfall_rows",
    "standing_rows",
    "state_rows",
    "step_rows",
    "time_rows",
    "title",
    "upgrade",
    "usage_rows",
    "use_change_rows",
    "verdict_rows",
    "victim_node_rows",
    "victim_rows",
    "waiting_rows",
    "what_would_help",
    "why",
    "why_not",
    "why_placed",
    "why_preempt",
]
