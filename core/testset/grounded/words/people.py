"""What people are called, so that they are asked for with "who"."""

from __future__ import annotations

_PERSONS = """
accountant actor adviser advisor agent analyst applicant approver artist assignee attorney auditor author borrower
boss broker buyer captain ceo cfo chairman chairperson chairwoman chief clerk client coach colleague composer
conductor consultant contact coordinator creator customer designer developer director doctor driver editor employee
engineer farmer father founder governor guarantor guardian guest head holder husband inspector instructor judge
landlord lawyer leader lecturer lender librarian manager mayor member mentor minister mother musician nurse officer
operator organiser organizer owner painter parent partner passenger patient patron performer person photographer
physician pilot player president producer professor referee rep reporter representative researcher reviewer scientist
secretary seller singer spokesperson student supervisor surgeon teacher tenant trainer treasurer trustee tutor user
vet visitor wife worker writer
adjuster administrator ambassador assessor assistant astronaut beneficiary captain carer caretaker chair chef chemist
claimant commander commissioner convenor counsellor courier critic curator dean debtor dentist dispatcher donor
economist electrician enumerator examiner executive foreman forester harbourmaster headteacher holder housekeeper
interpreter interviewer investigator journalist juror keeper lead linguist locksmith mechanic mediator midwife narrator
notary nominee organist paramedic payee pharmacist planner policyholder poet policeman porter postman principal
prosecutor radiologist ranger receptionist rector registrar respondent sculptor senator sergeant sheriff skipper
solicitor speaker steward strategist surveyor technician therapist translator treasurer tutor umpire underwriter usher
veterinarian volunteer waiter warden welder witness observer sailor attendee trainee apprentice playwright dramatist
librettist illustrator choreographer
"""
PERSONS = frozenset(_PERSONS.split())
"""What people are called; asked for with "who"."""

HANDLERS = frozenset(
    {
        "employee",
        "staff",
        "shipper",
        "courier",
        "agent",
        "clerk",
        "cashier",
        "salesperson",
        "handler",
        "officer",
    }
)
"""Who sees to what belongs to others."""


def is_person(noun: str) -> bool:
    """Whether a noun phrase names a person.

    >>> is_person("managing director"), is_person("head office town"), is_person("supervisor or manager")
    (True, False, True)
    """
    return noun.split()[-1].lower() in PERSONS
