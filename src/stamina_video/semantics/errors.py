"""What can go wrong, as types.

StaminaError            anything a caller may want to catch
├── InvalidInput        what came is not what was expected; the message says both
│   └── UnreadableFile  a file that is missing, truncated or of another kind
├── LedgerError         the ledger refused or could not do it
│   ├── EvidenceConflict   same evidence id, other content
│   ├── OutOfOrder         earlier than the last commit of its target
│   ├── StreamBusy         another writer holds this stream
│   ├── LedgerCorrupt      the stored rows do not agree with each other
│   ├── LedgerReadOnly     an append to a ledger opened for reading
│   ├── NewerSchema        written by a later version of this software
│   └── StoreUnavailable   disk full, no permission, server gone
└── MissingExtra        an optional dependency is not installed
"""


class StaminaError(Exception):
    pass


class InvalidInput(StaminaError, ValueError):
    pass


class UnreadableFile(InvalidInput):
    pass


class LedgerError(StaminaError):
    pass


class EvidenceConflict(LedgerError):
    pass


class OutOfOrder(LedgerError):
    pass


class StreamBusy(LedgerError):
    pass


class LedgerCorrupt(LedgerError):
    pass


class LedgerReadOnly(LedgerError):
    pass


class NewerSchema(LedgerError):
    pass


class StoreUnavailable(LedgerError):
    pass


class MissingExtra(StaminaError, ImportError):
    pass
