"""Ten questions that the documents of the harbour answer, each in another way."""

from __future__ import annotations

from sample_data.judge_tests.situations import Answerable

ANSWERABLE: tuple[Answerable, ...] = (
    Answerable(
        situation="one document",
        train=True,
        question="Where is the office of the Tarnholt Harbour Authority, and on which days is it open to visitors?",
        references=(
            "The office of the Tarnholt Harbour Authority is at 14 Dunnet Quay. It is open to visitors on Tuesdays and "
            "Fridays.",
            "The Saltings Museum shows models of forty fishing boats.",
            "The crane at the Brannoch slipway lifts up to 12 tonnes.",
        ),
        perfect="The office is at 14 Dunnet Quay.[1] It is open to visitors on Tuesdays and Fridays.[1]",
        irrelevant="The crane at the Brannoch slipway lifts up to 12 tonnes.[3] The Saltings Museum shows models of "
        "forty fishing boats.[2]",
        missing="The office is at 14 Dunnet Quay.[1]",
        citation="The office is at 14 Dunnet Quay.[2] It is open to visitors on Tuesdays and Fridays.[3]",
        distorted="The office is at 41 Dunnet Quay.[1] It is open to visitors on Tuesdays and Fridays.[1]",
    ),
    Answerable(
        situation="several documents",
        question="To whom does the skipper of a visiting yacht report in Port Tarnholt, and where does it berth?",
        references=(
            "Visiting yachts: the skipper reports to the berthing master, in person or on channel 37.",
            "Berths by kind of vessel: fishing boats at Dunnet Quay, visiting yachts at the Heron Pontoon, ferries at "
            "the Long Pier.",
            "The Heron Pontoon was repainted in green by pupils of the island school.",
        ),
        perfect="The skipper reports to the berthing master, in person or on channel 37.[1] Visiting yachts berth at "
        "the Heron Pontoon.[2]",
        irrelevant="Fishing boats berth at Dunnet Quay.[2] Pupils of the island school repainted the pontoon in "
        "green.[3]",
        missing="Visiting yachts berth at the Heron Pontoon.[2]",
        citation="The skipper reports to the berthing master, in person or on channel 37.[3] Visiting yachts berth at "
        "the Heron Pontoon.[1]",
        distorted="The skipper reports to the berthing master, in person or on channel 37.[1] Visiting yachts berth at "
        "the Long Pier.[2]",
    ),
    Answerable(
        situation="part of the question",
        question="How many steps lead up Skerry Light, how far is its lamp seen, and who was its first keeper?",
        references=(
            "A stair of 212 steps leads up the tower of Skerry Light to the gallery.",
            "The lamp of Skerry Light is seen for 19 sea miles.",
            "The kiosk on the Long Pier sells tickets for boat trips round the skerries.",
        ),
        perfect="A stair of 212 steps leads up the tower of Skerry Light.[1] Its lamp is seen for 19 sea miles.[2]",
        irrelevant="The kiosk on the Long Pier sells tickets for boat trips round the skerries.[3]",
        missing="A stair of 212 steps leads up the tower of Skerry Light.[1]",
        citation="A stair of 212 steps leads up the tower of Skerry Light. Its lamp is seen for 19 sea miles.[2]",
        distorted="A stair of 221 steps leads up the tower of Skerry Light.[1] Its lamp is seen for 19 sea miles.[2]",
        least_relevancy=">=4",
    ),
    Answerable(
        situation="conflicting documents",
        question="At what time are the lights on Dunnet Quay switched off?",
        references=(
            "Harbour handbook: the lights on Dunnet Quay are switched off at 22:00.",
            "Notice on the board of the harbour office: the lights on Dunnet Quay are switched off at 23:00.",
            "The benches on Dunnet Quay were given by the fishermen's guild.",
        ),
        perfect="The harbour handbook says that the lights on Dunnet Quay are switched off at 22:00.[1] A notice on "
        "the board of the harbour office says 23:00.[2]",
        irrelevant="The benches on Dunnet Quay were given by the fishermen's guild.[3]",
        missing="The harbour handbook says that the lights on Dunnet Quay are switched off at 22:00.[1]",
        citation="The harbour handbook says that the lights on Dunnet Quay are switched off at 22:00.[2] A notice on "
        "the board of the harbour office says 23:00.[1]",
        distorted="The harbour handbook and a notice on the board of the harbour office both say that the lights on "
        "Dunnet Quay are switched off at 21:00.[1][2]",
    ),
    Answerable(
        situation="figures",
        train=True,
        question="What does a night at the Heron Pontoon cost for a boat of 11 metres, and what is the charge for "
        "electricity?",
        references=(
            "Heron Pontoon, price of a night: boats up to 8 metres 14 crowns, above 8 and up to 12 metres 19 crowns, "
            "above 12 metres 27 crowns.",
            "Heron Pontoon, electricity: 3 crowns a day. Water is free.",
            "The fish market sold 640 tonnes of herring last year.",
        ),
        perfect="A boat of 11 metres pays 19 crowns a night at the Heron Pontoon.[1] Electricity costs 3 crowns a "
        "day.[2]",
        irrelevant="The fish market sold 640 tonnes of herring last year.[3]",
        missing="A boat of 11 metres pays 19 crowns a night at the Heron Pontoon.[1]",
        citation="A boat of 11 metres pays 19 crowns a night at the Heron Pontoon.[1] Electricity costs 3 crowns a "
        "day.[3]",
        distorted="A boat of 11 metres pays 27 crowns a night at the Heron Pontoon.[1] Electricity costs 3 crowns a "
        "day.[2]",
    ),
    Answerable(
        situation="dates",
        question="When was the Long Pier opened, and when was it last repaired?",
        references=(
            "The Long Pier was opened on 3 May 1911 by the harbour reeve Ilse Marrow.",
            "After the gale of that winter the Long Pier was repaired; the work ended on 18 March 2019. It has not "
            "been repaired since.",
            "The tide gauge at the Brannoch slipway is read every hour.",
        ),
        perfect="The Long Pier was opened on 3 May 1911.[1] It was last repaired after a gale, and the work ended on "
        "18 March 2019.[2]",
        irrelevant="The tide gauge at the Brannoch slipway is read every hour.[3]",
        missing="The Long Pier was opened on 3 May 1911.[1]",
        citation="The Long Pier was opened on 3 May 1911.[1] It was last repaired after a gale, and the work ended on "
        "18 March 2019.",
        distorted="The Long Pier was opened on 3 May 1911.[1] It was last repaired after a gale, and the work ended on "
        "18 March 2009.[2]",
    ),
    Answerable(
        situation="negation",
        question="May the pilot boat of Port Tarnholt carry passengers or freight?",
        references=(
            "The pilot boat of Port Tarnholt may not carry passengers.",
            "The pilot boat of Port Tarnholt may carry freight of up to 200 kilograms.",
            "The ferry Merle has a saloon with 80 seats.",
        ),
        perfect="The pilot boat may not carry passengers.[1] It may carry freight of up to 200 kilograms.[2]",
        irrelevant="The ferry Merle has a saloon with 80 seats.[3]",
        missing="The pilot boat may not carry passengers.[1]",
        citation="The pilot boat may not carry passengers.[2] It may carry freight of up to 200 kilograms.[1]",
        distorted="The pilot boat may carry passengers.[1] It may carry freight of up to 200 kilograms.[2]",
    ),
    Answerable(
        situation="list",
        train=True,
        question="Which papers does the harbour office ask for when a fishing boat is registered?",
        references=(
            "To register a fishing boat the harbour office asks for four papers: the bill of sale, the certificate of "
            "measurement, the proof of insurance and the skipper's licence.",
            "The harbour office has a counter for lost property on its ground floor.",
            "Fishing boats of Port Tarnholt carry the letters PT.",
        ),
        perfect="The harbour office asks for the bill of sale, the certificate of measurement, the proof of insurance "
        "and the skipper's licence.[1]",
        irrelevant="The harbour office has a counter for lost property on its ground floor.[2]",
        missing="The harbour office asks for the bill of sale and the skipper's licence.[1]",
        citation="The harbour office asks for the bill of sale, the certificate of measurement, the proof of insurance "
        "and the skipper's licence.[3]",
        distorted="The harbour office asks for the bill of sale, the certificate of measurement, the proof of "
        "residence and the skipper's licence.[1]",
    ),
    Answerable(
        situation="condition",
        question="Under which conditions may a boat enter Port Tarnholt at night?",
        references=(
            "At night a boat may enter Port Tarnholt only if it has a pilot on board.",
            "At night a boat that enters Port Tarnholt must besides announce itself to the watch an hour ahead.",
            "The watch room has a collection of old signal flags.",
        ),
        perfect="At night a boat may enter only if it has a pilot on board.[1] It must also announce itself to the "
        "watch an hour ahead.[2]",
        irrelevant="The watch room has a collection of old signal flags.[3]",
        missing="At night a boat may enter only if it has a pilot on board.[1]",
        citation="At night a boat may enter only if it has a pilot on board.[3] It must also announce itself to the "
        "watch an hour ahead.[2]",
        distorted="At night a boat may enter without a pilot on board.[1] It must announce itself to the watch an hour "
        "ahead.[2]",
    ),
    Answerable(
        situation="comparison",
        question="How long are the ferries Merle and Curlew, and which of them is longer?",
        references=(
            "The ferry Merle: built of steel, 41 metres long, painted blue.",
            "The ferry Curlew: built of aluminium, 35 metres long, painted white.",
            "The galley of the ferry Merle serves smoked eel.",
        ),
        perfect="The Merle is 41 metres long.[1] The Curlew is 35 metres long.[2] The Merle is the longer of the "
        "two.[1][2]",
        irrelevant="The galley of the Merle serves smoked eel.[3]",
        missing="The Merle is 41 metres long.[1]",
        citation="The Merle is 41 metres long. The Curlew is 35 metres long.[2] The Merle is the longer of the "
        "two.[1][2]",
        distorted="The Merle is 41 metres long.[1] The Curlew is 53 metres long.[2] The Curlew is the longer of the "
        "two.[1][2]",
    ),
)
