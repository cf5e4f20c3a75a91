"""The general rules of the period at the table: corrections, several offences at once, and later ones of one side."""

from __future__ import annotations

import pytest

from lawbook.auction import Auction
from lawbook.values import Side

EARLY, LATE = "whist-club-1912", "whist-club-1913"
BOTH = pytest.mark.parametrize("edition", [EARLY, LATE])


def played(edition: str, notation: str) -> Auction:
    auction = Auction(edition)
    auction.play(notation)
    return auction


def verdict(auction: Auction) -> str:
    return next(h for h in reversed(auction.happenings) if not h.of_itself).verdict.value


def offences(auction: Auction) -> set[str]:
    last = next(h for h in reversed(auction.happenings) if not h.of_itself)
    return {auction.edition.offences[number].name for number in last.ruling.offences}


def options(auction: Auction) -> set[str]:
    return {str(option) for option in auction.options}


def debarred(auction: Auction) -> str:
    return "".join(str(seat) for seat in auction.debarred)


def lawful(auction: Auction, call: str) -> bool:
    return call in [str(c) for c in auction.legal_calls]


# -- corrections -----------------------------------------------------------------------------------------------------


@BOTH
def test_a_correction_takes_away_the_calls_made_since_and_their_penalties(edition: str) -> None:
    auction = played(edition, "1C W:2D W:8C")
    assert options(auction) > {"N:penalise", "S:new-deal"}
    auction.play("N:correct=1D")
    assert (verdict(auction), str(auction.turn), options(auction)) == ("legal", "E", set())
    assert lawful(auction, "1H")
    assert not lawful(auction, "1C")


@BOTH
def test_the_corrected_bid_is_judged_as_if_it_alone_had_been_made(edition: str) -> None:
    auction = played(edition, "1C S:1H S:correct=1S")
    # Still out of turn, and now insufficient as well.
    assert offences(auction) == {"declaration-out-of-turn", "insufficient-declaration"}


@BOTH
def test_a_corrected_call_can_be_corrected_again(edition: str) -> None:
    auction = played(edition, "2H 2D E:correct=1N E:correct=2N")
    assert (verdict(auction), options(auction), str(auction.turn)) == ("legal", set(), "S")


@BOTH
def test_rights_lost_stay_lost_when_a_call_is_corrected(edition: str) -> None:
    # West, whose turn South's bid out of turn has brought, calls: his side has let it stand.
    auction = played(edition, "1C S:1H")
    assert options(auction) == {"E:new-deal", "E:let-stand", "W:new-deal", "W:let-stand"}
    auction.play("1R W:correct=1N")
    assert (verdict(auction), options(auction)) == ("legal", set())


def test_points_paid_stay_paid_when_a_call_is_corrected() -> None:
    auction = played(LATE, "1H S:X E:points N:correct=1R")
    assert verdict(auction) == "legal"
    assert auction.points == {Side.NS: 0, Side.EW: 50}
    assert options(auction) == set()


@BOTH
def test_a_bar_laid_meanwhile_does_not_strike_the_corrected_call_and_is_not_ended_by_it(edition: str) -> None:
    auction = played(edition, "1H S:expose N:correct=1R")
    assert (verdict(auction), debarred(auction)) == ("legal", "N")
    # It strikes his next call.
    auction.play("P P P" if edition == LATE else "P P 2C")
    if auction.is_open:
        assert not lawful(auction, "2R")


@BOTH
def test_a_bar_that_came_with_a_call_since_goes_with_it(edition: str) -> None:
    auction = played(edition, "1H S:8C E:penalise")
    assert debarred(auction) == "N"
    auction.play("N:correct=1R")
    assert (verdict(auction), debarred(auction), str(auction.turn)) == ("legal", "", "E")


@BOTH
@pytest.mark.parametrize("talk", ["S:notice", "N:notice", "S:refer", "S:penalise", "S:let-stand"])
def test_it_is_too_late_once_an_adversary_has_spoken_or_chosen(edition: str, talk: str) -> None:
    auction = played(edition, f"2H 2D {talk} E:correct=3D")
    assert (verdict(auction), offences(auction)) == ("irregular", {"late-correction"})
    assert auction.happenings[-1].ruling.unpenalised


@BOTH
@pytest.mark.parametrize("talk", ["W:notice", "E:notice", "W:consult"])
def test_it_is_not_too_late_for_what_the_offenders_side_says(edition: str, talk: str) -> None:
    auction = played(edition, f"2H 2D {talk} E:correct=3D")
    assert verdict(auction) == "legal"


@BOTH
def test_notice_of_a_bid_in_order_ends_nothing(edition: str) -> None:
    assert verdict(played(edition, "2H 3D S:notice E:correct=3R")) == "legal"


@BOTH
@pytest.mark.parametrize(
    "acts", ["2H P E:correct=3D", "2H 2D E:correct=P", "2H S:correct=3D", "2H 2D W:3C S:penalise W:correct=4C"]
)
def test_what_is_none_to_correct(edition: str, acts: str) -> None:
    assert verdict(played(edition, acts)) == "refused"


@pytest.mark.parametrize("acts", ["2H X E:correct=3D", "2H 2D E:correct=X"])
def test_a_double_and_a_bid_may_stand_for_each_other_only_where_a_double_is_a_declaration(acts: str) -> None:
    assert verdict(played(EARLY, acts)) == "refused"
    assert verdict(played(LATE, acts)) == "legal"


# -- two offences in one call ----------------------------------------------------------------------------------------


@BOTH
def test_every_offence_is_named_and_all_their_remedies_are_open(edition: str) -> None:
    auction = played(edition, "1C 1D W:8H")
    assert offences(auction) == {"declaration-out-of-turn", "impossible-declaration"}
    assert {o.act for o in auction.options} == {"penalise", "new-deal", "make-final", "let-stand"}


@BOTH
@pytest.mark.parametrize("choice", ["N:penalise", "N:let-stand", "N:new-deal"])
def test_a_choice_under_one_offence_ends_the_rights_about_the_other(edition: str, choice: str) -> None:
    auction = played(edition, f"2H W:2D {choice}")
    assert (verdict(auction), options(auction)) == ("legal", set())
    assert verdict(played(edition, f"2H W:2D {choice} S:new-deal")) == "refused"


@BOTH
def test_a_bid_out_of_turn_made_sufficient_on_demand_may_not_then_be_objected_to(edition: str) -> None:
    auction = played(edition, "2H W:2D N:penalise")
    assert (debarred(auction), str(auction.turn)) == ("E", "N")
    auction.play("S:new-deal")
    assert (verdict(auction), auction.status) == ("refused", "open")


def test_points_outlast_another_choice() -> None:
    for choice in ("E:new-deal", "E:let-stand"):
        auction = played(LATE, f"1H S:X {choice}")
        claimed = auction.act("W:points").verdict.value
        # Nothing can be done in a deal that has been annulled.
        assert claimed == ("legal" if auction.status == "open" else "refused")


def test_a_debarred_players_wrong_double_opens_the_remedies_of_both_laws() -> None:
    auction = played(LATE, "1H 1R E:expose P X")
    assert offences(auction) == {"doubles-partner", "declares-while-debarred"}
    assert {o.act for o in auction.options} == {"points", "refuse", "let-stand"}
    auction.play("N:refuse S:points")
    assert (debarred(auction), auction.points[Side.NS]) == ("EW", 50)


def test_a_silenced_players_call_opens_nothing() -> None:
    for call in ("4D", "2C", "8C", "X", "XX"):
        auction = played(LATE, f"2H 2D S:penalise P 3N N:refuse 3H {call}")
        assert "declares-while-debarred" in offences(auction)
        assert options(auction) == set()
        assert str(auction.turn) == "S"


def test_a_debarred_players_bid_is_a_pass_in_turn_and_nothing_out_of_turn() -> None:
    in_turn = played(EARLY, "2H 2D S:penalise P 8C")
    assert offences(in_turn) == {"impossible-declaration", "declares-while-debarred"}
    assert (options(in_turn), str(in_turn.turn)) == (set(), "N")
    out_of_turn = played(EARLY, "2H 2D S:penalise W:4C")
    assert str(out_of_turn.turn) == "S"
    # The penalty for calling out of turn is open all the same.
    assert options(out_of_turn) == {"N:new-deal", "N:let-stand", "S:new-deal", "S:let-stand"}


# -- later offences of the same side ---------------------------------------------------------------------------------


@BOTH
def test_a_demand_names_the_newest_offence(edition: str) -> None:
    auction = played(edition, "2H 2D W:2S S:penalise")
    # West's two spades become seven, East is debarred, and what East did can still be punished.
    assert debarred(auction) == "E"
    assert {str(o.offender) for o in auction.options} == {"E"}
    assert str(played(edition, "2H 2D W:2S S:penalise P P P").contract) == "7S by W"


@BOTH
def test_a_demand_names_the_older_where_it_can_mean_no_other(edition: str) -> None:
    auction = played(edition, "2H 2D W:3C S:penalise")
    assert (debarred(auction), str(auction.turn)) == ("W", "S")
    assert (lawful(auction, "3D"), lawful(auction, "3H")) == (False, True)


@BOTH
def test_a_remedy_for_the_older_call_takes_away_the_later_ones_with_their_penalties_and_bars(edition: str) -> None:
    auction = played(edition, "2H 2D W:2S S:penalise N:penalise")
    # Seven spades are gone and East is free: only West, for East's two diamonds, is barred.
    assert (debarred(auction), options(auction)) == ("W", set())
    auction.play("P P P")
    assert str(auction.contract) == "3D by E"


def test_a_remedy_for_the_older_call_takes_away_the_silence_a_later_one_brought() -> None:
    auction = played(LATE, "2H E:expose 2D W:3C S:refuse")
    assert debarred(auction) == "EW"
    auction.play("N:penalise")
    # West stays shut out for the card and barred for the bid; East is silent no more.
    assert debarred(auction) == "W"


def test_points_paid_for_a_later_call_stay_when_it_is_taken_away() -> None:
    auction = played(LATE, "2H 2D W:X S:points S:penalise")
    assert (auction.points[Side.NS], debarred(auction)) == (50, "W")


def test_a_pass_out_of_turn_is_not_taken_away() -> None:
    auction = played(LATE, "2H 2D W:P S:penalise P")
    # West passed the two diamonds; the penalty raised the bid, and he is passed over all the same.
    assert [str(h.act) for h in auction.happenings if h.of_itself] == ["W:P"]
    assert str(auction.turn) == "N"


@BOTH
def test_to_let_the_newest_stand_leaves_the_older_open(edition: str) -> None:
    auction = played(edition, "2H 2D W:3C S:let-stand")
    assert {(str(o.offender), o.act) for o in auction.options} == {("E", "penalise"), ("E", "let-stand")}


def test_one_consultation_touches_all_that_is_open() -> None:
    auction = played(LATE, "2H 2D W:3C S:consult")
    assert (offences(auction), options(auction)) == ({"improper-consultation"}, set())


def test_one_reference_touches_all_that_is_open() -> None:
    auction = played(LATE, "2H 2D W:3C S:refer")
    assert options(auction) == {"N:penalise", "N:new-deal", "N:let-stand"}
    assert options(played(LATE, "2H 2D W:3C S:refer N:refer")) == set()


def test_a_claim_of_points_settles_the_oldest_that_is_unpaid() -> None:
    auction = played(LATE, "1H P X X XX P XX W:points")
    assert auction.points[Side.EW] == 50
    auction.play("E:points")
    assert auction.points[Side.EW] == 150
    assert verdict(played(LATE, "1H P X X XX P XX W:points E:points W:points")) == "refused"


@BOTH
def test_one_notice_makes_a_correction_of_either_call_too_late(edition: str) -> None:
    for correction in ("E:correct=3D", "W:correct=3N"):
        auction = played(edition, f"2H 2D W:2S S:notice {correction}")
        assert offences(auction) == {"late-correction"}


# -- odds and ends ---------------------------------------------------------------------------------------------------


@BOTH
def test_an_impossible_bid_condoned_may_be_made_final(edition: str) -> None:
    auction = played(edition, "8C P P 8H")
    assert "N:make-final" in options(auction)
    auction.play("N:make-final")
    assert (auction.status, str(auction.contract)) == ("final", "8C by N")


@BOTH
@pytest.mark.parametrize("act", ["E:notice", "E:refer", "E:consult", "E:ask", "E:inform"])
def test_talk_without_object_is_lawful_and_without_effect(edition: str, act: str) -> None:
    before, after = played(edition, "1C"), played(edition, f"1C {act}")
    assert verdict(after) == "legal"
    assert after.state == before.state


@BOTH
@pytest.mark.parametrize("acts", ["1C E:raise=2C", "1C S:1H E:new-deal P", "1C S:1H E:new-deal W:notice"])
def test_what_cannot_be_done(edition: str, acts: str) -> None:
    assert verdict(played(edition, acts)) == "refused"


@BOTH
def test_a_double_of_no_effect_ends_no_bar(edition: str) -> None:
    assert debarred(played(edition, "2H 2D S:penalise X")) == ""
    # South redoubles what nobody has doubled: it is a pass, and West stays barred.
    wrong = played(edition, "2H 2D S:penalise XX")
    assert (verdict(wrong), debarred(wrong), str(wrong.turn)) == ("irregular", "W", "W")
