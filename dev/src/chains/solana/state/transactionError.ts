/**
 * Why a transaction failed, in JSON-RPC's form: a name, or an object with the name as key and its
 * details.
 */
export type TransactionError = string | { readonly [name: string]: unknown }

/**
 * Reads the error of what LiteSVM prints of a failed transaction, as
 * `InstructionError(0, Custom(1))`.
 */
export function readTransactionError(text: string): TransactionError {
  const debug = /err: (.*?), meta: TransactionMetadata/s.exec(text)?.[1] ?? 'InstructionError'
  const inner = /^InstructionError\((\d+), (.*)\)$/s.exec(debug)
  if (inner) return { InstructionError: [Number(inner[1]), readInstructionError(inner[2] ?? '')] }
  const struct = /^(\w+) \{ account_index: (\d+) \}$/.exec(debug)
  if (struct?.[1]) return { [struct[1]]: { account_index: Number(struct[2]) } }
  const tuple = /^(\w+)\((\d+)\)$/.exec(debug)
  return tuple?.[1] ? { [tuple[1]]: Number(tuple[2]) } : debug
}

function readInstructionError(debug: string) {
  const custom = /^Custom\((\d+)\)$/.exec(debug)
  return custom ? { Custom: Number(custom[1]) } : (/^\w+/.exec(debug)?.[0] ?? debug)
}

/** A node's message for the error. */
export function describeTransactionError(error: TransactionError): string {
  if (typeof error === 'string') return sentences[error] ?? toWords(error)
  const [name = '', detail] = Object.entries(error)[0] ?? []
  if (name === 'InstructionError') {
    const [index, reason] = detail as [number, string | { Custom: number }]
    const what =
      typeof reason === 'string'
        ? (instructionSentences[reason] ?? toWords(reason).toLowerCase())
        : `custom program error: 0x${reason.Custom.toString(16)}`
    return `Error processing Instruction ${index}: ${what}`
  }
  if (name === 'InsufficientFundsForRent') {
    const { account_index: index } = detail as { account_index: number }
    return `Transaction results in an account (${index}) with insufficient funds for rent`
  }
  return toWords(name)
}

const sentences: Record<string, string> = {
  AccountInUse: 'Account in use',
  AccountNotFound: 'Attempt to debit an account but found no record of a prior credit.',
  ProgramAccountNotFound: 'Attempt to load a program that does not exist',
  InsufficientFundsForFee: 'Insufficient funds for fee',
  InvalidAccountForFee: 'This account may not be used to pay transaction fees',
  AlreadyProcessed: 'This transaction has already been processed',
  BlockhashNotFound: 'Blockhash not found',
  SignatureFailure: 'Transaction did not pass signature verification',
  SanitizeFailure: 'Transaction failed to sanitize accounts offsets correctly',
  AddressLookupTableNotFound: "Transaction loads an address table account that doesn't exist",
  InvalidAddressLookupTableOwner:
    'Transaction loads an address table account with an invalid owner',
  InvalidAddressLookupTableData: 'Transaction loads an address table account with invalid data',
  InvalidAddressLookupTableIndex: 'Transaction address table lookup uses an invalid index',
}

const instructionSentences: Record<string, string> = {
  InvalidArgument: 'invalid program argument',
  InvalidInstructionData: 'invalid instruction data',
  InvalidAccountData: 'invalid account data for instruction',
  AccountDataTooSmall: 'account data too small for instruction',
  InsufficientFunds: 'insufficient funds for instruction',
  IncorrectProgramId: 'incorrect program id for instruction',
  MissingRequiredSignature: 'missing required signature for instruction',
  AccountAlreadyInitialized: 'instruction requires an uninitialized account',
  UninitializedAccount: 'instruction requires an initialized account',
  NotEnoughAccountKeys: 'insufficient account keys for instruction',
  UnsupportedProgramId: 'Unsupported program id',
  MissingAccount: 'An account required by the instruction is missing',
  IllegalOwner: 'Provided owner is not allowed',
  ComputationalBudgetExceeded: 'Computational budget exceeded',
  ProgramFailedToComplete: 'Program failed to complete',
}

const toWords = (name: string) =>
  name.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
