"""Ten questions that the documents of the harbour do not answer, each for another reason."""

from __future__ import annotations

from sample_data.judge_tests.situations import Unanswerable

UNANSWERABLE: tuple[Unanswerable, ...] = (
    Unanswerable(
        situation="missing attribute",
        train=True,
        question="How much fuel does the tug Bittern use in an hour?",
        references=(
            "The tug Bittern has two engines of 400 kilowatts each and a crew of four.",
            "The tug Bittern takes fuel at the northern end of Dunnet Quay.",
            "The Saltings Museum closes on Mondays.",
        ),
        related="The tug Bittern has two engines of 400 kilowatts each.[1]",
        unrelated="The Saltings Museum closes on Mondays.[3]",
        answered="The tug Bittern uses 400 litres of fuel in an hour.[1]",
    ),
    Unanswerable(
        situation="another thing of the kind",
        question="In which year was the ferry Curlew built?",
        references=(
            "The ferry Merle was built in 1996 in the yard of Ostrey.",
            "The ferry Curlew sails to the island of Sandray three times a day.",
            "Herring is landed at Port Tarnholt from May to August.",
        ),
        related="The ferry Merle was built in 1996.[1] The Curlew sails to the island of Sandray three times a day.[2]",
        unrelated="Herring is landed at Port Tarnholt from May to August.[3]",
        answered="The ferry Curlew was built in 1996.[1]",
    ),
    Unanswerable(
        situation="another period",
        question="How many visiting yachts did Port Tarnholt count in 2022?",
        references=(
            "In 2020 Port Tarnholt counted 1,310 visiting yachts.",
            "In 2021 Port Tarnholt counted 1,475 visiting yachts.",
            "The weather mast on the Long Pier is 12 metres high.",
        ),
        related="In 2020 Port Tarnholt counted 1,310 visiting yachts.[1] In 2021 it counted 1,475.[2]",
        unrelated="The weather mast on the Long Pier is 12 metres high.[3]",
        answered="Port Tarnholt counted 1,475 visiting yachts in 2022.[2]",
    ),
    Unanswerable(
        situation="person not named",
        question="Who is the berthing master of Port Tarnholt?",
        references=(
            "The berthing master of Port Tarnholt is appointed for five years by the harbour council.",
            "Ilse Marrow is the head of the harbour council.",
            "Smoked eel is served in the galley of the ferry Merle.",
        ),
        related="The berthing master is appointed for five years by the harbour council.[1]",
        unrelated="Smoked eel is served in the galley of the ferry Merle.[3]",
        answered="The berthing master of Port Tarnholt is Ilse Marrow.[2]",
    ),
    Unanswerable(
        situation="missing figure",
        train=True,
        question="What is the fine for leaving nets on Dunnet Quay overnight?",
        references=(
            "Whoever leaves nets on Dunnet Quay overnight is fined by the harbour watch.",
            "Whoever blocks the slipway with a boat is fined 60 crowns.",
            "The lamp of Skerry Light is seen for 19 sea miles.",
        ),
        related="Whoever leaves nets on Dunnet Quay overnight is fined by the harbour watch.[1]",
        unrelated="The lamp of Skerry Light is seen for 19 sea miles.[3]",
        answered="The fine for leaving nets on Dunnet Quay overnight is 60 crowns.[2]",
    ),
    Unanswerable(
        situation="missing reason",
        question="Why was the old fish hall of Port Tarnholt pulled down?",
        references=(
            "The old fish hall of Port Tarnholt was pulled down in 1987.",
            "The new fish hall has a cold store for 90 tonnes.",
            "The pilot boat may carry freight of up to 200 kilograms.",
        ),
        related="The old fish hall was pulled down in 1987.[1]",
        unrelated="The pilot boat may carry freight of up to 200 kilograms.[3]",
        answered="The old fish hall was pulled down because its cold store was too small.[2]",
    ),
    Unanswerable(
        situation="missing procedure",
        question="How does one apply for a winter berth in Port Tarnholt?",
        references=(
            "Winter berths in Port Tarnholt are let from October to March.",
            "To apply for a summer berth, send a letter to the berthing master before 1 March.",
            "The tide gauge at the Brannoch slipway is read every hour.",
        ),
        related="Winter berths are let from October to March.[1]",
        unrelated="The tide gauge at the Brannoch slipway is read every hour.[3]",
        answered="To apply for a winter berth, send a letter to the berthing master before 1 March.[2]",
    ),
    Unanswerable(
        situation="plan without a date",
        question="When will the second ferry pier in Port Tarnholt open?",
        references=(
            "The harbour council has decided to build a second ferry pier in Port Tarnholt.",
            "The widened slipway at Brannoch will open in June 2027.",
            "The benches on Dunnet Quay were given by the fishermen's guild.",
        ),
        related="The harbour council has decided to build a second ferry pier.[1]",
        unrelated="The benches on Dunnet Quay were given by the fishermen's guild.[3]",
        answered="The second ferry pier will open in June 2027.[2]",
    ),
    Unanswerable(
        situation="another place",
        train=True,
        question="Is swimming allowed in the inner basin of Port Tarnholt?",
        references=(
            "Swimming is allowed at the beach of Sandray from June to September.",
            "The inner basin of Port Tarnholt is 6 metres deep at low water.",
            "The ferry Curlew is painted white.",
        ),
        related="The inner basin of Port Tarnholt is 6 metres deep at low water.[2] Swimming is allowed at the beach "
        "of Sandray from June to September.[1]",
        unrelated="The ferry Curlew is painted white.[3]",
        answered="Swimming is allowed in the inner basin of Port Tarnholt from June to September.[1]",
    ),
    Unanswerable(
        situation="opinion not recorded",
        question="What do the fishermen of Port Tarnholt think of the new fish auction by telephone?",
        references=(
            "Since last autumn fish is also auctioned by telephone in Port Tarnholt.",
            "The innkeepers of Port Tarnholt welcome the fish auction by telephone.",
            "The stair of Skerry Light has 212 steps.",
        ),
        related="Since last autumn fish is also auctioned by telephone in Port Tarnholt.[1]",
        unrelated="The stair of Skerry Light has 212 steps.[3]",
        answered="The fishermen of Port Tarnholt welcome the fish auction by telephone.[2]",
    ),
)
