"""Measures the card play of Blot against colver, the strongest public player of a related game.

    python -m pip install colver==0.11.1
    cargo build --release
    python src/games/blot/engine/against_colver.py target/release/caravanserai-tools \
        --milliseconds 20 --deals 800 --seed 1

Both programs play the same deals with the same contract: the hand that is strongest by a count of
its cards bids 8 in its best suit, all others pass. Every deal is played twice, with the sides
exchanged, and each decision gets the same time. The result is the mean of the card points of our
side above half of the 162 points, with its standard error and 95 % interval.

- colver plays by `isdd` (double dummy over sampled worlds) with worlds that are equally likely.
- Deals in which a hand holds a combination are left out: colver does not know combinations.
- Combinations are announced by hand here, so that silence says nothing about hands.
- All tricks count 162 points, as any other number of tricks.
"""

import argparse
import random
import statistics
import subprocess
import time

import colver

SUITS = "SHDC"
# colver numbers the cards of a suit in this order.
RANKS = ["7", "8", "9", "J", "Q", "K", "10", "A"]
RUN_ORDER = ["7", "8", "9", "10", "J", "Q", "K", "A"]
TRUMP_POINTS = {"J": 20, "9": 14, "A": 11, "10": 10, "K": 4, "Q": 3, "8": 0, "7": 0}
HALF = 81
ALL = 162
LOWEST_BID = 8
ACE = 7

COLVER = """
[bid]
strategy = "heuristic"
[play]
method = "isdd"
time_ms = {milliseconds}
[worlds]
source = "uniform"
"""


def name_of(card):
    return RANKS[card % 8] + SUITS[card // 8]


CARDS = {name_of(card): card for card in range(32)}


def has_combination(hand):
    names = {name_of(card) for card in hand}
    for suit in SUITS:
        length = 0
        for rank in RUN_ORDER:
            length = length + 1 if rank + suit in names else 0
            if length == 3:
                return True
    return any(all(rank + suit in names for suit in SUITS) for rank in RANKS)


def strength(hand, suit):
    """Trump points and length, and plain aces."""
    trumps = [card for card in hand if card // 8 == suit]
    aces = sum(card % 8 == ACE and card // 8 != suit for card in hand)
    points = sum(TRUMP_POINTS[RANKS[card % 8]] for card in trumps)
    return points + 6 * len(trumps) + 11 * aces


class Engine:
    """Our program, which answers lines (see src/tools/engine/protocol.md)."""

    def __init__(self, program, level, milliseconds):
        self.milliseconds = milliseconds
        self.process = subprocess.Popen(
            [program, "engine", "blot"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1,
        )
        self.write("options manual_melds=true")
        self.write(f"level {level}")

    def write(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def best_card(self, position):
        self.write(position)
        self.write(f"go movetime {self.milliseconds}")
        for line in self.process.stdout:
            word, _, rest = line.strip().partition(" ")
            if word == "error":
                raise RuntimeError(f"{rest}: {position}")
            if word == "bestmove":
                return CARDS[rest.split()[0]]
        raise RuntimeError(f"the engine ended: {position}")


class Deal:
    """Hands and contract; seats count from 0."""

    def __init__(self, numbers):
        while True:
            pack = list(range(32))
            numbers.shuffle(pack)
            self.hands = [sorted(pack[8 * seat:8 * seat + 8]) for seat in range(4)]
            self.dealer = numbers.randrange(4)
            if not any(has_combination(hand) for hand in self.hands):
                break
        choices = ((seat, suit) for seat in range(4) for suit in range(4))
        self.bidder, self.trump = max(choices, key=lambda it: strength(self.hands[it[0]], it[1]))

    def calls(self):
        first = (self.dealer + 1) % 4
        before = (self.bidder - first) % 4
        return ["pass"] * before + [f"{LOWEST_BID}{SUITS[self.trump].lower()}"] + ["pass"] * 3

    def position(self, seat, cards):
        hand = ",".join(map(name_of, self.hands[seat]))
        moves = " ".join(self.calls() + list(map(name_of, cards)))
        return f"position seen seat={seat + 1} dealer={self.dealer + 1} hand={hand} moves {moves}"


def add_loss(losses, table, card, place):
    """Adds what a card costs with open hands, by player, side, kind and trick."""
    is_colver, is_bidder, put = place
    values = dict(table.solve_scores()["scores"])
    # The values are those of the seats 0 and 2.
    best = max(values.values()) if table.current_player() % 2 == 0 else min(values.values())
    who = "colver" if is_colver else "ours"
    side = "bidders" if is_bidder else "defenders"
    kind = "leads" if put % 4 == 0 else "others"
    row = losses.setdefault((who, side, kind), [0] * 8)
    row[put // 4] += abs(best - values.get(card, best))


def play(deal, engine, our_side, seed, spent, losses):
    """Plays the cards of a deal; returns the card points of our side."""
    table = colver.Env.deal_with_hands(deal.dealer, deal.hands)
    spec = COLVER.format(milliseconds=engine.milliseconds)
    agents = {
        seat: colver.Agent(spec, seat, seed + seat) for seat in range(4) if seat % 2 != our_side
    }
    for agent in agents.values():
        agent.init_deal(table)
    table.set_contract(deal.trump, 10 * LOWEST_BID, deal.bidder % 2, 0)
    table.set_phase_playing()
    cards = []
    while not table.is_terminal():
        seat, legal = table.current_player(), table.legal_actions()
        card, before = legal[0], time.monotonic()
        if len(legal) > 1 and seat in agents:
            card = agents[seat].decide(table)["action"]
            spent["colver"].append(time.monotonic() - before)
        elif len(legal) > 1:
            card = engine.best_card(deal.position(seat, cards))
            spent["ours"].append(time.monotonic() - before)
        if losses is not None and len(legal) > 1:
            add_loss(losses, table, card, (seat in agents, seat % 2 == deal.bidder % 2, len(cards)))
        if card not in legal:
            raise RuntimeError(f"{name_of(card)} is not legal: {deal.position(seat, cards)}")
        for agent in agents.values():
            agent.observe(table, card)
        table.step(card)
        cards.append(card)
    return min(table.get_points()[our_side], ALL)


def report(results, spent):
    mean = statistics.mean(results)
    error = statistics.stdev(results) / len(results) ** 0.5
    each = {who: 1000 * statistics.mean(all_of) for who, all_of in spent.items()}
    print(
        f"{len(results)} deals played twice: {mean:+.2f} (standard error {error:.2f}; 95 % from "
        f"{mean - 1.96 * error:+.2f} to {mean + 1.96 * error:+.2f}) card points a deal over half; "
        f"a decision took {each['ours']:.0f} ms, and colver's {each['colver']:.0f} ms",
        flush=True,
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", help="the program caravanserai-tools")
    parser.add_argument("--milliseconds", type=int, default=20, help="time for each decision")
    parser.add_argument("--deals", type=int, default=800)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--level", default="cards", help="our player")
    parser.add_argument("--losses", action="store_true", help="also show losses by trick")
    wanted = parser.parse_args()
    engine = Engine(wanted.program, wanted.level, wanted.milliseconds)
    numbers = random.Random(wanted.seed)
    results, spent = [], {"ours": [], "colver": []}
    losses = {} if wanted.losses else None
    for number in range(wanted.deals):
        deal = Deal(numbers)
        seed = wanted.seed * 100_003 + number * 4
        points = [play(deal, engine, side, seed, spent, losses) for side in (0, 1)]
        results.append(sum(points) / 2 - HALF)
        if len(results) % 50 == 0 or len(results) == wanted.deals > 1:
            report(results, spent)
    for (who, side, kind), row in sorted((losses or {}).items()):
        print(who, side, kind, *(f"{loss / wanted.deals:.2f}" for loss in row))


if __name__ == "__main__":
    main()
