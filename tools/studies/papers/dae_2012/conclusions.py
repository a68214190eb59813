"""Decoupled Access/Execute: the conclusions and their rules."""

from __future__ import annotations

from ...declare import Conclusion
from .energy import costly_share, energies, energy_change, saving_games, savings_in_all
from .explanations import prefetched, where_energy_goes, where_time_goes
from .measures import (
    DECOUPLED,
    GHB,
    MOST,
    MTA,
    NONE,
    PERFECT,
    PREDICTED,
    PROPOSED,
    REMOTE,
    STRIDE,
    TRAFFIC,
    best_speed,
    change,
    least_between,
    least_lead,
    machine,
    mean_useless,
    mta_ahead,
    share,
    solid,
    speed,
    speed_of_most,
    speeds,
    warps_to_reach,
)

CONCLUSIONS = (
    Conclusion(
        "stride-gains", "With one warp the stride prefetcher is faster than none (Fig. 6).",
        None, "x", "> 1", lambda m: speed(m, STRIDE), where_time_goes,
    ),
    Conclusion(
        "stride", "It has 65 % of the speed of the Global History Buffer (Fig. 6).",
        0.65, "x", "0.56 to 0.74", lambda m: speed(m, STRIDE, base=GHB), prefetched,
    ),
    Conclusion(
        "mta", "The many-thread aware one has 90 % (Fig. 6).",
        0.9, "x", "0.87 to 0.93", lambda m: speed(m, MTA, base=GHB), prefetched,
    ),
    Conclusion(
        "mta-ibowl", "It is ahead of the Global History Buffer in one game, ibowl (Fig. 6).",
        "002-ibowl", "x", "002-ibowl among the highest 1", mta_ahead, prefetched,
    ),
    Conclusion(
        "decoupled", "Decoupled access is 2.9 % faster than the Global History Buffer (Fig. 6).",
        1.029, "x", "1 to 1.06", lambda m: speed(m, DECOUPLED, base=GHB), prefetched,
    ),
    Conclusion(
        "remote", "With requests to other caches it is 33 % faster (Fig. 6).",
        1.33, "x", "1.25 to 1.41", lambda m: speed(m, REMOTE, base=GHB), prefetched,
    ),
    Conclusion(
        "remote-every", "It is then the fastest in all games (Fig. 6).",
        None, "of the fastest other", ">= 1", least_lead, where_time_goes,
    ),
    Conclusion(
        "accurate", "Both kinds of decoupled access prefetch less for nothing than any predictor (Fig. 7).",
        None, "of the best predictor's", "< 1",
        lambda m: max(mean_useless(m, kind) for kind in PROPOSED) / min(mean_useless(m, kind) for kind in PREDICTED),
        prefetched,
    ),
    Conclusion(
        "every-saves", "All prefetchers save energy (Fig. 8).",
        None, "of that without", "< 1", savings_in_all, where_energy_goes,
    ),
    Conclusion(
        "remote-energy", "Decoupled access with requests to other caches takes 9 % less than the Global History Buffer"
        " (Fig. 8).", -9, "%", "within 25 % of -9", lambda m: energy_change(m, REMOTE, base=GHB), where_energy_goes,
    ),
    Conclusion(
        "mta-energy", "The many-thread aware prefetcher takes about as much as the Global History Buffer (Fig. 8).",
        1, "of the GHB's", "0.97 to 1.03", lambda m: m.mean(energies(m, MTA, base=GHB).values()), where_energy_goes,
    ),
    Conclusion(
        "warps", "Without prefetching 16 warps are 3.23 times as fast as one (Fig. 9).",
        3.23, "x", "2.67 to 3.79", lambda m: speed(m, NONE, MOST), where_time_goes,
    ),
    Conclusion(
        "warps-energy", "They take 25 % more energy (Fig. 10).",
        25, "%", "within 25 % of 25", lambda m: energy_change(m, NONE, MOST), where_energy_goes,
    ),
    Conclusion(
        "few-warps-save", "Two or four warps save energy in some games (Fig. 10).",
        None, "games", ">= 1", saving_games, where_energy_goes,
    ),
    Conclusion(
        "many-warps-cost", "6 to 16 warps take more energy in most games (Fig. 10).",
        None, "of the games", "> 0.5", costly_share, where_energy_goes,
    ),
    Conclusion(
        "four-warps", "Decoupled access with requests to other caches is fastest with four warps already (Fig. 11).",
        None, "of its best speed", ">= 0.97", lambda m: speed(m, REMOTE, 4) / best_speed(m, REMOTE), where_time_goes,
    ),
    Conclusion(
        "as-many-warps", "The baseline needs 14 to 16 warps to be as fast (Fig. 11).",
        "14 to 16", "warps", "14 to 16", lambda m: warps_to_reach(m, speed(m, REMOTE, 4)), where_time_goes,
    ),
    Conclusion(
        "between", "The other prefetchers lie in between, whatever the warps (Fig. 11).",
        None, "x", ">= 1", least_between, where_time_goes,
    ),
    Conclusion(
        "one-warp", "With one warp it has 78 % of the speed of 16 warps (Fig. 12).",
        0.78, "x", "0.725 to 0.835", lambda m: speed_of_most(m, REMOTE, 1), where_time_goes,
        bound=lambda m: speed_of_most(m, PERFECT, 1),
    ),
    Conclusion(
        "one-warp-energy", "It takes 35 % less energy than these (Fig. 12).",
        -35, "%", "within 25 % of -35", lambda m: energy_change(m, REMOTE, 1, NONE, MOST), where_energy_goes,
    ),
    Conclusion(
        "two-warps", "With two warps it has 93 % of their speed (Fig. 12).",
        0.93, "x", "0.9 to 0.96", lambda m: speed_of_most(m, REMOTE, 2), where_time_goes,
    ),
    Conclusion(
        "two-warps-energy", "It takes 34 % less energy then (Fig. 12).",
        -34, "%", "within 25 % of -34", lambda m: energy_change(m, REMOTE, 2, NONE, MOST), where_energy_goes,
    ),
    Conclusion(
        "decoupled-traffic", "Decoupled access asks the L2 for 73 % more (Fig. 13).",
        73, "%", "within 25 % of 73", lambda m: change(m, TRAFFIC, DECOUPLED), prefetched,
    ),
    Conclusion(
        "remote-traffic", "With requests to other caches it asks for 24 % more (Fig. 13).",
        24, "%", "within 25 % of 24", lambda m: change(m, TRAFFIC, REMOTE), prefetched,
    ),
    Conclusion(
        "ghb-traffic", "The Global History Buffer asks for 111 % more (Fig. 13).",
        111, "%", "within 25 % of 111", lambda m: change(m, TRAFFIC, GHB), prefetched,
    ),
    Conclusion(
        "mta-traffic", "The many-thread aware prefetcher asks for 86 % more (Fig. 13).",
        86, "%", "within 25 % of 86", lambda m: change(m, TRAFFIC, MTA), prefetched,
    ),
    Conclusion(
        "stride-traffic", "The stride prefetcher asks for 18 % more (Fig. 13).",
        18, "%", "within 25 % of 18", lambda m: change(m, TRAFFIC, STRIDE), prefetched,
    ),
    Conclusion(
        "remote-saves-traffic", "Requests to other caches save accesses to the L2 (5).",
        None, "of those without", "< 1",
        lambda m: m.mean(m.ratios(TRAFFIC, machine(REMOTE), machine(DECOUPLED)).values()), prefetched,
    ),
    Conclusion(
        "requests-miss", "40.7 % of the prefetch requests miss (3.4).",
        40.7, "%", "within 25 % of 40.7", lambda m: share(m, "misses", "requests"), prefetched,
    ),
    Conclusion(
        "misses-elsewhere", "66.3 % of these find their line in the cache of another processor (3.4).",
        66.3, "%", "within 25 % of 66.3", lambda m: share(m, "in_other_cache", "misses"), prefetched,
    ),
    Conclusion(
        "hit-without-warps", "Games in three dimensions take 140 % longer where no threads hide latency (2.1).",
        140, "%", "within 25 % of 140", lambda m: 100 * (speed(solid(m), NONE, MOST) - 1), where_time_goes,
    ),
    Conclusion(
        "perfect-caches", "Perfect caches are up to 285 % faster than that (2.1).",
        285, "%", "within 25 % of 285", lambda m: 100 * (max(speeds(solid(m), PERFECT).values()) - 1), where_time_goes,
    ),
)  # fmt: skip
