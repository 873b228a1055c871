from __future__ import annotations

from memory_plugin.memory.extraction.joining import joined
from memory_plugin.memory.extraction.language import spoken_in
from memory_plugin.memory.extraction.statements import clean, statements
from memory_plugin.memory.transcript import Role


def lines(text: str, role: Role = "assistant") -> list[str]:
    return list(joined(statements(clean(text)), spoken_in(text), role))


def test_items_are_joined_under_their_lead_in_and_heading() -> None:
    text = "## Deploy script\nThe script needs:\n- `AWS_REGION` set to eu-west-3\n- a valid VPN certificate\n"
    assert lines(text) == ["Deploy script: The script needs: `AWS_REGION` set to eu-west-3; a valid VPN certificate"]


def test_a_heading_that_names_no_subject_is_left_out() -> None:
    assert lines("## Summary\nThe importer skips empty rows.") == ["The importer skips empty rows."]


def test_no_line_opens_by_pointing_at_another() -> None:
    assert lines("It fails twice a day.") == []
    assert lines("The importer is slow. It fails twice a day.") == ["The importer is slow. It fails twice a day."]


def test_a_bare_item_leads_to_what_stands_below_it_once() -> None:
    text = "- `api/.env`:\n  - `PORT` is 8080 on every machine\n  - `HOST` is the name of the machine"
    assert lines(text) == ["`api/.env`: `PORT` is 8080 on every machine; `HOST` is the name of the machine"]


def test_what_the_user_says_to_open_a_question_goes_with_it() -> None:
    text = "The bookings need a database before the pilot. What would you take?"
    assert lines(text, "user") == []
    assert lines(text) == ["The bookings need a database before the pilot."]


def test_a_request_for_work_is_no_line_of_the_users() -> None:
    text = "Add a column for the currency. The prices are in cents everywhere else."
    assert lines(text, "user") == ["The prices are in cents everywhere else."]


def test_the_options_of_a_question_are_left_out() -> None:
    text = "A) rows in the database of the bookings\nB) signed cookies in the browser"
    table = "| Option | What |\n|---|---|\n| A. Rows | in the database |"
    assert lines(text) == lines(table) == []
