import type { alertTexts } from './alertTexts.ts'

/**
 * Every error code of the product with its message. `{name}` is filled from the error's data. The
 * JSON-RPC code is in `rpcCodes`, the HTTP status in `errorStatus`, the second sentence of an alert
 * in `alertTexts`: each loads only in code that uses it.
 */
export const errors = {
  // Provider and JSON-RPC errors (EIP-1193, EIP-1474, EIP-5792)
  USER_REJECTED: 'User rejected the request',
  UNAUTHORIZED: 'The wallet has not allowed this',
  UNSUPPORTED_METHOD: 'The wallet does not support {method}',
  PROVIDER_DISCONNECTED: 'The wallet is disconnected',
  CHAIN_DISCONNECTED: 'The wallet is disconnected from this network',
  UNRECOGNIZED_CHAIN: 'The wallet does not know this network',
  PARSE_ERROR: 'The request is not valid JSON',
  INVALID_REQUEST: 'The request is not valid',
  METHOD_NOT_FOUND: 'The method {method} does not exist or is not available',
  INVALID_PARAMS: 'A parameter is not valid: {reason}',
  INTERNAL: 'Something went wrong',
  RPC_FAILED: '{reason}',
  REQUEST_NOT_ALLOWED: 'Requested RPC call is not allowed',
  /** The reason tells the user what to do. */
  WALLET_NOT_READY: '{reason}',
  WALLET_UNRESPONSIVE: 'The wallet does not respond. Open it and try again',
  WALLET_ANSWER_INVALID: 'The wallet sent an invalid response',
  WALLET_SIGNED_OTHER:
    'The wallet signed something else or used another account. The signature was discarded',
  REQUEST_PENDING: 'A request is already open in the wallet',
  RESOURCE_NOT_FOUND: 'Resource not found',
  TRANSACTION_REJECTED: 'The network refused the transaction: {reason}',
  RPC_METHOD_UNSUPPORTED: 'The network does not support this method',
  LIMIT_EXCEEDED: 'Too many requests. Try again later',
  RPC_VERSION_UNSUPPORTED: 'This version of JSON-RPC is not supported',
  CAPABILITY_UNSUPPORTED:
    'The request needs a capability that the wallet does not support: {reason}',
  BATCH_CHAIN_UNSUPPORTED: 'The wallet cannot send batches on this network',
  BATCH_ID_TAKEN: 'A batch with this id already exists',
  BATCH_ID_UNKNOWN: 'There is no batch with this id',
  BATCH_TOO_LARGE: 'The batch has too many calls or too much data',
  UPGRADE_REJECTED: 'User rejected the smart account that the batch needs',
  ATOMICITY_UNSUPPORTED: 'The wallet cannot send these calls as one transaction',
  NOT_CONNECTED: 'Please call connect() before request()',

  // Channels between windows
  CHANNEL_CLOSED: 'The other window was closed',
  CHANNEL_BUSY: 'Too many requests are open. Wait for one to finish',
  MESSAGE_TOO_LARGE: 'The message is too large',
  ORIGIN_NOT_ALLOWED: 'This page is not allowed to use the window',

  // Addresses and networks
  INVALID_CAIP_ADDRESS: 'Invalid CAIP Address',
  INVALID_CAIP10_ADDRESS: 'Invalid CAIP-10 address',
  INVALID_CAIP2_NETWORK_ID: 'Invalid CAIP-2 network id',
  INVALID_ADDRESS: 'Invalid address',
  INVALID_CHAIN_ID: 'Invalid chainId',
  CHAIN_NOT_SUPPORTED: 'Chain is not supported',
  UNSUPPORTED_CHAIN: 'Unsupported chain',
  NETWORK_NOT_FOUND: 'Network Not Found',
  NO_ADAPTER: "Adapter for namespace {namespace} doesn't exist",
  NAMESPACE_NOT_CONFIGURED:
    "Namespace '{namespace}' is not configured. Please call connect() first with namespace config.",
  NO_RPC_URL: 'No RPC url provided for chainId: {id}',
  RPC_UNAVAILABLE: 'Unavailable {chain} RPC url',
  RPC_CHAIN_WRONG: 'The RPC url of {chain} belongs to another network',
  CHAIN_NOT_SWITCHED:
    "Failed to switch to chain '{chainId}'. The chain is not approved or the wallet does not support 'wallet_switchEthereumChain' method.",
  NO_CHAINS_ON_CONNECTOR: 'No chains found on connector.',

  // Connecting
  CONNECTOR_NOT_FOUND: 'This wallet is no longer available in this browser',
  RECONNECT_RUNNING: 'A reconnect is already running',
  CONNECTION_CHANGED: 'The account or network has changed. Check and try again',
  DISCONNECT_FAILED: 'Failed to disconnect',
  DISCONNECT_CHAIN_FAILED: 'Failed to disconnect chain {chain}',

  // WalletConnect
  PAIRING_URI_INVALID: 'This is not a WalletConnect link: {reason}',
  PAIRING_URI_EXPIRED: 'This WalletConnect link has expired. Create a new one in the app',
  ENVELOPE_INVALID: 'A WalletConnect message cannot be read: {reason}',
  RELAY_TOKEN_INVALID: 'JWT validation error: {reason}',

  RELAY_UNREACHABLE: 'The relay {host} cannot be reached. Check your network and try again',
  RELAY_REFUSED: 'The relay {host} refused: {reason}',
  NOT_INITIALIZED: 'Not initialized. {context}',
  NO_MATCHING_KEY: 'No matching key. {context}',
  MISSING_OR_INVALID: 'Missing or invalid. {context}',
  EXPIRED: 'Expired. {context}',
  NON_CONFORMING_NAMESPACES: 'Non conforming namespaces. {context}',
  METHOD_NOT_APPROVED: 'Missing or invalid. request() method: {method}',
  CHAIN_NOT_APPROVED: 'Missing or invalid. request() chainId: {chainId}',
  PAIRING_EXISTS: 'Pairing already exists: {topic}. Please try again with a new connection URI.',
  PROPOSAL_EXPIRED: 'Proposal expired',
  REQUEST_EXPIRED: 'Request expired. Please try again.',
  SESSION_REJECTED: '{message}',
  WALLET_ERROR: '{message}',
  USER_DISCONNECTED: 'User disconnected.',

  MISSING_CAPABILITIES_ADDRESS: 'Missing address parameter in wallet_getCapabilities request',
  CALL_STATUS_NOT_APPROVED: 'Fetching call status not approved by the wallet.',
  USER_OPERATION_FAILED: 'Failed to fetch user operation receipt - {status}',

  // Vault: wallets of the frame, their shares and recovery
  VAULT_NOT_FOUND: 'Not found',
  WALLET_EXISTS: 'This account already has a wallet',
  WALLET_CHANGED: 'The wallet was changed elsewhere. Try again',
  COMMIT_REFUSED: 'The wallet has not signed this change',
  LAST_FACTOR: 'This is the only way to recover the wallet. Add another one first',
  RECOVERY_PAUSED: 'Recovery is paused. Try again later',
  VAULT_UNAVAILABLE: 'This server cannot use its keys now. Try again later',
  WALLET_QUARANTINED:
    'The wallet on this device is damaged or was changed: {reason}. Nothing was signed. Recover it, or approve this device with another one',
  OPERATOR_NEEDS_NEW_KEY:
    'To remove the operator, create a new key. With the current key, the operator’s share still opens the wallet',
  ENROLMENT_STOPPED: 'The request was altered in transit. Start again on the new device',
  WALLET_NOT_ENROLLED:
    'This browser does not hold the wallet yet. Recover it, or approve this browser with another one',
  RECOVERY_FAILED: 'This does not open the wallet: {reason}',
  KIT_INVALID: 'This is not the code of a recovery kit: {reason}',
  SIGNING_REFUSED: 'This cannot be signed: {reason}',

  // Configuration
  PROJECT_ID_NOT_CONFIGURED: 'Project ID Not Configured',
  INVALID_APP_CONFIGURATION: 'Invalid App Configuration',
  INVALID_PROJECT_ID: 'Invalid App Configuration',
  SESSION_EXPIRED: 'Session Expired',

  // A server
  DATABASE_UNAVAILABLE: 'The database does not respond. Try again in {seconds} seconds',

  // Email login, sessions and devices
  EMAIL_INVALID: 'Enter a valid email address',
  EMAIL_NOT_TAKEN:
    'This server cannot send email to addresses with letters such as ü before the @. Use another address',
  EMAIL_LOGIN_OFF: 'Email login is not set up on this server. Its operator has to set SMTP_URL',
  MAIL_NOT_SENT: 'The email could not be sent. Try again in a minute',
  LOGIN_THROTTLED: 'Please try again after {seconds} seconds',
  LOGIN_ENDED: 'This login has ended. Start again',
  DEVICE_NOT_APPROVED: 'Approve this browser first: open the link in the email we sent',
  CODE_WRONG: 'This code is wrong. Check the newest email',
  CODE_NOT_TAKEN:
    'This project does not accept codes that are entered in a page. Enter the code in the secure window',
  CODE_USED_UP: 'This code is no longer valid. Request a new one',
  CODE_THROTTLED: 'Too many wrong codes. Please try again after {seconds} seconds',
  MATCH_CODE_WRONG: 'These two digits are wrong. The page where you started shows the right ones',
  LINK_INVALID: 'This link is no longer valid. Start again on the page that you came from',
  EMAIL_REPLACED:
    'This address was recently replaced by another. To undo that, open the link in the email about it',
  EMAIL_CHANGE_ENDED: 'This change of the email address has ended. Start again',
  PROOF_NONCE_NEEDED: 'The proof needs the newest nonce',
  PROOF_INVALID: 'The proof of the request is not valid',
  SIGNED_OUT: 'You are signed out. Sign in again',
  STEP_UP_NEEDED: 'Confirm that it is you first',
  PASSKEY_REFUSED: 'The passkey was not accepted. Try again, or use another way',
  RECOVERY_FROZEN:
    'The email address was changed recently. Recovery by email opens in {seconds} seconds',
  RECOVERY_STOPPED: 'A recovery was stopped recently. Recovery by email opens in {days} days',

  // The secure frame, from the view of the page around it
  FRAME_NOT_LOADED: 'The browser or a blocker kept {host} from loading. The wallet needs it',
  FRAME_TIMEOUT: 'Invalid App Configuration',
  ACTION_NOT_ALLOWED: 'Action not allowed',

  // Sending
  INVALID_SEND_INPUT: 'Please enter a valid amount and receiver address',
  INSUFFICIENT_FUNDS: 'Insufficient funds',
  INSUFFICIENT_GAS: 'Not enough {symbol} to pay the network fee',
  TRANSFER_REFUSED: '{reason}',
  TRANSACTION_EXPIRED:
    'The network did not accept the transaction in time. Nothing was sent. Try again',
  TRANSACTION_REPLACED: 'The wallet sent something else. Check your activity',
  TRANSACTION_CANCELLED: 'You canceled this in your wallet',
  TRANSACTION_UNCONFIRMED: 'Not confirmed yet. Check your wallet',
  TRANSACTION_NOT_SENT: 'Failed to send transaction. Please try again.',
  SEND_FAILED: 'Something went wrong',
  SIGNATURE_DECLINED: 'Signature declined',
  COINS_KEPT: 'Not enough without {amount} {symbol} in small coins',
  AMOUNT_IS_DUST: 'The network refuses amounts below {amount} {symbol}',
  REVOKE_REFUSED: 'The contract refused to revoke this',

  // Swapping
  SWAP_UNSUPPORTED: 'Network not supported for Swaps',
  SWAP_REFUSED: 'This swap is not possible: {reason}',
  SWAP_PRICE_MOVED: 'The price moved. Check the new amounts',
  SWAP_ALTERED: 'The server prepared a different swap: {reason}. Nothing was signed',

  // Data
  OUTBOUND_REFUSED: '{host} is not fetched: {reason}',
  OUTBOUND_FAILED: '{host} could not be fetched: {reason}',
  HISTORY_UNAVAILABLE: 'The transactions of {chain} cannot be read now. Try again in {seconds} s',
  TOKEN_BALANCE_UNAVAILABLE: 'Token Balance Unavailable',
  HISTORY_FAILED: 'Failed to fetch transactions',
  HISTORY_ADDRESS_MISSING: "Transactions can't be fetched without an accountAddress",
  HTTP_FAILED: 'HTTP status code: {status}',
  ANSWER_INVALID: 'The server sent an invalid response',
  RATE_LIMITED: 'Too many requests. Try again in {seconds} s',
  TIMEOUT: 'This took too long. Try again',
  ABORTED: 'Request was aborted',
  OFFLINE: 'No connection. Check your network and try again',
} as const satisfies Record<string, string>

export type ErrorCode = keyof typeof errors

/** The `{name}`s of a message. */
export type TextNames<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | TextNames<Rest>
  : never
type AlertTexts = typeof alertTexts
type ErrorText<Code extends ErrorCode> = Code extends keyof AlertTexts
  ? `${(typeof errors)[Code]}${AlertTexts[Code]}`
  : (typeof errors)[Code]

/** The data of an error: one value for each `{name}` in its messages. */
export type ErrorData<Code extends ErrorCode> = Code extends ErrorCode
  ? Record<TextNames<ErrorText<Code>>, string | number>
  : never

type Options<Code extends ErrorCode> = { cause?: unknown } & ([TextNames<ErrorText<Code>>] extends [
  never,
]
  ? { data?: Record<never, never> }
  : { data: ErrorData<Code> })

/** Fills each `{name}` of a message from the data; names without a value stay unchanged. */
export const fillText = (text: string, data: Readonly<Record<string, string | number>>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name) => String(data[name] ?? whole))

/**
 * The one error class. Match it with {@link isError}: a class does not survive serialization or a
 * second bundle.
 */
export class LatchkeyError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'LatchkeyError'
  readonly code: Code
  readonly data: ErrorData<Code>

  constructor(
    code: Code,
    ...[options]: [TextNames<ErrorText<Code>>] extends [never] ? [Options<Code>?] : [Options<Code>]
  ) {
    const data = (options?.data ?? {}) as Record<string, string | number>
    super(
      fillText(errors[code], data),
      options?.cause === undefined ? undefined : { cause: options.cause },
    )
    this.code = code
    this.data = data as ErrorData<Code>
  }
}

/**
 * Whether `error` is a LatchkeyError (with `code`, if given). Matches by name and code, never by
 * class.
 */
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

/**
 * Converts any thrown value to a LatchkeyError: our errors unchanged, an abort as ABORTED,
 * everything else as INTERNAL with its cause.
 */
export function toError(error: unknown): LatchkeyError {
  if (isError(error)) return error
  const aborted = error instanceof Error && error.name === 'AbortError'
  return new LatchkeyError(aborted ? 'ABORTED' : 'INTERNAL', { cause: error })
}

/** Maps a message of a relay or data service to the error code of our alert. */
export function errorCodeFromText(text: string): ErrorCode | undefined {
  if (text.includes('Unauthorized: origin not allowed')) return 'INVALID_APP_CONFIGURATION'
  if (text.includes('JWT validation error: JWT Token is not yet valid')) return 'SESSION_EXPIRED'
  if (text.includes('Unauthorized: invalid key')) return 'INVALID_PROJECT_ID'
  return undefined
}
