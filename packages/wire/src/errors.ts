/**
 * How an error is shown: an alert (once each), a toast (it happened elsewhere) or a line where it happened.
 */
export type Presentation = 'alert' | 'toast' | 'inline'

type Row = {
  readonly text: string
  /** `inline` where it is absent: browsers load the table, and most errors are. */
  readonly show?: Presentation
  /** JSON-RPC 2.0, EIP-1193 or EIP-5792 code. */
  readonly rpc?: number
  /** Second, longer sentence of an alert. */
  readonly long?: string
}

/** Every error of the product. `{name}` in a text is filled from the error's data. */
export const errors = {
  // Provider and JSON-RPC errors (EIP-1193, EIP-1474, EIP-5792)
  USER_REJECTED: { rpc: 4001, text: 'User rejected the request' },
  UNAUTHORIZED: { rpc: 4100, text: 'The wallet has not allowed this' },
  UNSUPPORTED_METHOD: { rpc: 4200, text: 'The wallet does not support {method}' },
  PROVIDER_DISCONNECTED: { rpc: 4900, text: 'The wallet is disconnected' },
  CHAIN_DISCONNECTED: {
    rpc: 4901,
    text: 'The wallet is disconnected from this network',
  },
  UNRECOGNIZED_CHAIN: { rpc: 4902, text: 'The wallet does not know this network' },
  PARSE_ERROR: { rpc: -32700, text: 'The request is not valid JSON' },
  INVALID_REQUEST: { rpc: -32600, text: 'The request is not valid' },
  METHOD_NOT_FOUND: {
    rpc: -32601,
    text: 'The method {method} is not available',
  },
  INVALID_PARAMS: {
    rpc: -32602,
    text: 'A parameter is not valid: {reason}',
  },
  INTERNAL: { rpc: -32603, text: 'Something went wrong' },
  RPC_FAILED: { rpc: -32000, text: '{reason}' },
  REQUEST_NOT_ALLOWED: { rpc: 4200, show: 'toast', text: 'Requested RPC call is not allowed' },
  WALLET_UNRESPONSIVE: {
    text: 'The wallet does not answer. Open it and try again',
  },
  WALLET_ANSWER_INVALID: { text: 'The wallet sent an answer that is not valid' },
  WALLET_SIGNED_OTHER: {
    text: 'The wallet has signed something else, or with another account. It is not used',
  },
  REQUEST_PENDING: { rpc: -32002, text: 'A request is already open in the wallet' },
  NOT_CONNECTED: { text: 'Please call connect() before request()' },

  // Channels between windows
  CHANNEL_CLOSED: { text: 'The other window was closed' },
  CHANNEL_BUSY: { text: 'Too many requests are open. Wait for one to finish' },
  MESSAGE_TOO_LARGE: { text: 'The message is too large' },
  ORIGIN_NOT_ALLOWED: {
    text: 'This page is not allowed to use the window',
  },

  // Addresses and networks
  INVALID_CAIP_ADDRESS: { text: 'Invalid CAIP Address' },
  INVALID_CAIP10_ADDRESS: { text: 'Invalid CAIP-10 address' },
  INVALID_CAIP2_NETWORK_ID: { text: 'Invalid CAIP-2 network id' },
  INVALID_ADDRESS: { text: 'Invalid address' },
  INVALID_CHAIN_ID: { text: 'Invalid chainId' },
  CHAIN_NOT_SUPPORTED: { text: 'Chain is not supported' },
  UNSUPPORTED_CHAIN: { text: 'Unsupported chain' },
  NETWORK_NOT_FOUND: {
    show: 'alert',
    text: 'Network Not Found',
    long: 'Network not found - please make sure it is included in the networks array',
  },
  NO_ADAPTER: { text: "Adapter for namespace {namespace} doesn't exist" },
  NAMESPACE_NOT_CONFIGURED: {
    text: "Namespace '{namespace}' is not configured. Please call connect() first with namespace config.",
  },
  NO_RPC_URL: { text: 'No RPC url provided for chainId: {id}' },
  RPC_UNAVAILABLE: { text: 'Unavailable {chain} RPC url' },
  CHAIN_NOT_SWITCHED: {
    text: "Failed to switch to chain '{chainId}'. The chain is not approved or the wallet does not support 'wallet_switchEthereumChain' method.",
  },
  NO_CHAINS_ON_CONNECTOR: { text: 'No chains found on connector.' },

  // Connecting
  CONNECTOR_NOT_FOUND: {
    text: 'This wallet is not available in this browser any more',
  },
  RECONNECT_RUNNING: { text: 'A reconnect is already running' },
  CONNECTION_CHANGED: {
    text: 'The account or network changed meanwhile. Check and try again',
  },
  DISCONNECT_FAILED: { text: 'Failed to disconnect' },
  DISCONNECT_CHAIN_FAILED: { text: 'Failed to disconnect chain {chain}' },

  // WalletConnect
  PAIRING_URI_INVALID: {
    text: 'This is not a WalletConnect link: {reason}',
  },
  PAIRING_URI_EXPIRED: {
    text: 'This WalletConnect link has expired. Create a new one in the app',
  },
  ENVELOPE_INVALID: { text: 'A WalletConnect message cannot be read: {reason}' },
  RELAY_TOKEN_INVALID: {
    text: 'JWT validation error: {reason}',
  },

  RELAY_UNREACHABLE: {
    text: 'The relay {host} cannot be reached. Check your network and try again',
  },
  RELAY_REFUSED: { text: 'The relay {host} refused: {reason}' },
  NOT_INITIALIZED: { text: 'Not initialized. {context}' },
  NO_MATCHING_KEY: { text: 'No matching key. {context}' },
  MISSING_OR_INVALID: { text: 'Missing or invalid. {context}' },
  EXPIRED: { text: 'Expired. {context}' },
  NON_CONFORMING_NAMESPACES: { text: 'Non conforming namespaces. {context}' },
  METHOD_NOT_APPROVED: {
    rpc: 4200,
    text: 'Missing or invalid. request() method: {method}',
  },
  CHAIN_NOT_APPROVED: {
    rpc: 4901,
    text: 'Missing or invalid. request() chainId: {chainId}',
  },
  PAIRING_EXISTS: {
    text: 'Pairing already exists: {topic}. Please try again with a new connection URI.',
  },
  PROPOSAL_EXPIRED: { text: 'Proposal expired' },
  REQUEST_EXPIRED: { text: 'Request expired. Please try again.' },
  SESSION_REJECTED: { text: '{message}' },
  WALLET_ERROR: { text: '{message}' },
  USER_DISCONNECTED: { text: 'User disconnected.' },

  MISSING_CAPABILITIES_ADDRESS: {
    text: 'Missing address parameter in wallet_getCapabilities request',
  },
  CALL_STATUS_NOT_APPROVED: {
    text: 'Fetching call status not approved by the wallet.',
  },
  USER_OPERATION_FAILED: {
    text: 'Failed to fetch user operation receipt - {status}',
  },

  // Vault: wallets of the frame, their shares and recovery
  VAULT_NOT_FOUND: { text: 'There is nothing here' },
  WALLET_EXISTS: { text: 'This account already has a wallet' },
  WALLET_CHANGED: {
    text: 'The wallet was changed elsewhere meanwhile. Try again',
  },
  COMMIT_REFUSED: { text: 'The wallet has not signed this change' },
  LAST_FACTOR: {
    text: 'This is the only way to recover the wallet. Add another one first',
  },
  RECOVERY_PAUSED: {
    text: 'Recovery is paused for a while. Try again later',
  },
  VAULT_UNAVAILABLE: {
    text: 'The keys of this server cannot be used now. Try again later',
  },
  KEYRING_UNUSABLE: { text: 'The keyring in {dir} cannot be used: {reason}' },
  WALLET_QUARANTINED: {
    text: 'The wallet on this device is damaged or was changed: {reason}. Nothing was signed. Recover it, or approve this device with another one',
  },
  OPERATOR_NEEDS_NEW_KEY: {
    text: 'To remove the operator, make a new key: what the operator holds would still open the wallet',
  },
  ENROLMENT_STOPPED: {
    text: 'The request was changed on its way. Start again on the new device',
  },
  WALLET_NOT_ENROLLED: {
    text: 'This browser does not hold the wallet yet. Recover it, or approve this browser with another one',
  },
  RECOVERY_FAILED: { text: 'This does not open the wallet: {reason}' },
  KIT_INVALID: { text: 'This is not the code of a recovery kit: {reason}' },
  SIGNING_REFUSED: { rpc: -32602, text: 'This cannot be signed: {reason}' },

  // Configuration
  PROJECT_ID_NOT_CONFIGURED: {
    show: 'alert',
    text: 'Project ID Not Configured',
    long: 'Set `projectId` when you create the app. A server that you run yourself accepts `local`',
  },
  INVALID_APP_CONFIGURATION: {
    show: 'alert',
    text: 'Invalid App Configuration',
    long: 'The origin {origin} is not on the allowlist of this project. Add it with `latchkey project add`',
  },
  INVALID_PROJECT_ID: {
    show: 'alert',
    text: 'Invalid App Configuration',
    long: 'The server does not know this project id. Add it with `latchkey project add`',
  },
  SESSION_EXPIRED: {
    show: 'alert',
    text: 'Session Expired',
    long: 'Invalid session. Check the time settings of this device and connect again',
  },
  SIWX_AND_SIWE: { text: 'Cannot set both `siweConfig` and `siwx` options' },

  // Starting a server
  SERVER_CONFIGURATION_INVALID: {
    text: 'The configuration is not valid:\n{problems}',
  },
  DATABASE_IN_USE: {
    text: 'Another Latchkey server (process {pid}) uses the database in {dir}. Stop it, or set DATA_DIR or DATABASE_URL',
  },
  DATABASE_UNAVAILABLE: {
    text: 'The database does not answer. Try again in {seconds} seconds',
  },
  DATABASE_FAILED: { text: 'The database did not start: {reason}' },
  PORT_TAKEN: {
    text: 'Port {port} on {host} is taken. Stop what listens there, or set {variable}',
  },
  PROJECT_EXISTS: { text: 'A project with the id {id} already exists' },

  // E-mail login, sessions and devices
  EMAIL_INVALID: { text: 'Enter a valid e-mail address' },
  EMAIL_LOGIN_OFF: {
    text: 'E-mail login is not set up on this server. Its operator has to set SMTP_URL',
  },
  MAIL_NOT_SENT: {
    text: 'The mail could not be sent. Try again in a minute',
  },
  LOGIN_THROTTLED: {
    text: 'Please try again after {seconds} seconds',
  },
  LOGIN_ENDED: { text: 'This login has ended. Start again' },
  DEVICE_NOT_APPROVED: {
    text: 'Approve this browser first: open the link in the mail we sent',
  },
  CODE_WRONG: { text: 'This code is wrong. Check the newest mail' },
  CODE_USED_UP: {
    text: 'This code is no longer valid. Request a new one',
  },
  CODE_THROTTLED: {
    text: 'Too many wrong codes. Please try again after {seconds} seconds',
  },
  MATCH_CODE_WRONG: {
    text: 'These are not the two digits. They are shown on the page where you started',
  },
  LINK_INVALID: {
    text: 'This link is no longer valid. Start again on the page that you came from',
  },
  EMAIL_REPLACED: {
    text: 'This address was recently replaced by another. To undo that, open the link in the mail about it',
  },
  EMAIL_CHANGE_ENDED: {
    text: 'This change of the e-mail address has ended. Start again',
  },
  PROOF_NONCE_NEEDED: { text: 'The proof needs the newest nonce' },
  PROOF_INVALID: { text: 'The proof of the request is not valid' },
  SIGNED_OUT: { text: 'You are signed out. Sign in again' },
  STEP_UP_NEEDED: { text: 'Confirm that it is you first' },
  RECOVERY_FROZEN: {
    text: 'The e-mail address was changed recently. Recovery by e-mail opens in {seconds} seconds',
  },
  RECOVERY_STOPPED: {
    text: 'A recovery was stopped recently. Recovery by e-mail opens in {days} days',
  },

  // The secure frame, as the page around it meets it
  FRAME_NOT_LOADED: { text: 'Unable to load email login dependency' },
  FRAME_TIMEOUT: {
    show: 'alert',
    text: 'Invalid App Configuration',
    long: 'There was an issue loading the embedded wallet. Please verify that your domain is allowed',
  },
  ACTION_NOT_ALLOWED: { show: 'toast', text: 'Action not allowed' },

  // Sending
  INVALID_SEND_INPUT: { show: 'toast', text: 'Please enter a valid amount and receiver address' },
  INSUFFICIENT_FUNDS: { text: 'Insufficient funds' },
  INSUFFICIENT_GAS: { text: 'Not enough {symbol} to pay the network fee' },
  TRANSFER_REFUSED: { text: '{reason}' },
  TRANSACTION_EXPIRED: {
    text: 'The network did not accept it in time. Nothing was sent. Try again',
  },
  TRANSACTION_REPLACED: { text: 'The wallet sent something else. Check your activity' },
  TRANSACTION_NOT_SENT: {
    show: 'toast',
    text: 'Failed to send transaction. Please try again.',
  },
  SEND_FAILED: { show: 'toast', text: 'Something went wrong' },
  SIGNATURE_DECLINED: { show: 'toast', text: 'Signature declined' },
  AMOUNT_IS_DUST: { text: 'The network refuses less than {amount} {symbol}' },
  FEE_ABOVE_AMOUNT: { text: 'The network fee would be more than the amount' },

  // Data
  OUTBOUND_REFUSED: { text: '{host} is not fetched: {reason}' },
  OUTBOUND_FAILED: { text: '{host} could not be fetched: {reason}' },
  HISTORY_UNAVAILABLE: {
    text: 'The transactions of {chain} cannot be read now. Try again in {seconds} s',
  },
  TOKEN_BALANCE_UNAVAILABLE: { show: 'toast', text: 'Token Balance Unavailable' },
  HISTORY_FAILED: { show: 'toast', text: 'Failed to fetch transactions' },
  HISTORY_ADDRESS_MISSING: {
    text: "Transactions can't be fetched without an accountAddress",
  },
  HTTP_FAILED: { text: 'HTTP status code: {status}' },
  ANSWER_INVALID: { text: 'The server sent an answer that is not valid' },
  RATE_LIMITED: { text: 'Too many requests. Try again in {seconds} s' },
  TIMEOUT: { text: 'This took too long. Try again' },
  ABORTED: { text: 'Request was aborted' },
  OFFLINE: { text: 'No connection. Check your network and try again' },
} as const satisfies Record<string, Row>

export type ErrorCode = keyof typeof errors

type Names<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Names<Rest>
  : never
type ErrorText<Code extends ErrorCode> = (typeof errors)[Code] extends {
  long: infer Long extends string
}
  ? `${(typeof errors)[Code]['text']}${Long}`
  : (typeof errors)[Code]['text']

/** The data an error carries: one value for each `{name}` in its texts. */
export type ErrorData<Code extends ErrorCode> = Code extends ErrorCode
  ? Record<Names<ErrorText<Code>>, string | number>
  : never

type Options<Code extends ErrorCode> = { cause?: unknown } & ([Names<ErrorText<Code>>] extends [
  never,
]
  ? { data?: Record<never, never> }
  : { data: ErrorData<Code> })

const fill = (text: string, data: Record<string, string | number>) =>
  text.replace(/\{(\w+)\}/g, (whole, name) => String(data[name] ?? whole))

/** The one error class. Match it with {@link isError}: classes do not survive a wire or a second bundle. */
export class LatchkeyError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'LatchkeyError'
  readonly code: Code
  readonly data: ErrorData<Code>
  /** Second sentence of an alert, filled. */
  readonly long: string | undefined

  constructor(
    code: Code,
    ...[options]: [Names<ErrorText<Code>>] extends [never] ? [Options<Code>?] : [Options<Code>]
  ) {
    const row: Row = errors[code]
    const data = (options?.data ?? {}) as Record<string, string | number>
    super(fill(row.text, data), options?.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.data = data as ErrorData<Code>
    this.long = row.long && fill(row.long, data)
  }
}

/** Whether `error` is ours (any code, or the one given): matched by name and code, never by class. */
export function isError<Code extends ErrorCode>(
  error: unknown,
  code?: Code,
): error is LatchkeyError<Code> {
  // A wallet may throw anything, including a proxy that throws.
  try {
    const { name, code: found } = error as { name?: unknown; code?: unknown }
    if (name !== 'LatchkeyError' || typeof found !== 'string') return false
    return code === undefined ? Object.hasOwn(errors, found) : found === code
  } catch {
    return false
  }
}

/** How an error of this code is shown. */
export const getPresentation = (code: ErrorCode): Presentation =>
  (errors[code] as Row).show ?? 'inline'

/** Any thrown thing as a LatchkeyError: ours as it is, an abort as ABORTED, all else as INTERNAL with its cause. */
export function toError(error: unknown): LatchkeyError {
  if (isError(error)) return error
  const aborted = error instanceof Error && error.name === 'AbortError'
  return new LatchkeyError(aborted ? 'ABORTED' : 'INTERNAL', { cause: error })
}

/** Texts of relays and data services that mean one of our alerts. */
export function errorCodeFromText(text: string): ErrorCode | undefined {
  if (text.includes('Unauthorized: origin not allowed')) return 'INVALID_APP_CONFIGURATION'
  if (text.includes('JWT validation error: JWT Token is not yet valid')) return 'SESSION_EXPIRED'
  if (text.includes('Unauthorized: invalid key')) return 'INVALID_PROJECT_ID'
  return undefined
}
