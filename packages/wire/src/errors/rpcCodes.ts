import type { ErrorCode } from './errors.ts'

/**
 * The number that a provider gives an error: EIP-1193, JSON-RPC 2.0 and EIP-1474, EIP-5792. Separate from the table of errors, because
 * few parts need it.
 */
export const rpcCodes = {
  USER_REJECTED: 4001,
  UNAUTHORIZED: 4100,
  UNSUPPORTED_METHOD: 4200,
  REQUEST_NOT_ALLOWED: 4200,
  METHOD_NOT_APPROVED: 4200,
  PROVIDER_DISCONNECTED: 4900,
  NOT_CONNECTED: 4900,
  CHAIN_DISCONNECTED: 4901,
  CHAIN_NOT_APPROVED: 4901,
  UNRECOGNIZED_CHAIN: 4902,
  CAPABILITY_UNSUPPORTED: 5700,
  BATCH_CHAIN_UNSUPPORTED: 5710,
  BATCH_ID_TAKEN: 5720,
  BATCH_ID_UNKNOWN: 5730,
  BATCH_TOO_LARGE: 5740,
  UPGRADE_REJECTED: 5750,
  ATOMICITY_UNSUPPORTED: 5760,
  RPC_FAILED: -32000,
  WALLET_NOT_READY: -32000,
  RESOURCE_NOT_FOUND: -32001,
  REQUEST_PENDING: -32002,
  TRANSACTION_REJECTED: -32003,
  RPC_METHOD_UNSUPPORTED: -32004,
  LIMIT_EXCEEDED: -32005,
  RPC_VERSION_UNSUPPORTED: -32006,
  INVALID_REQUEST: -32600,
  METHOD_NOT_FOUND: -32601,
  INVALID_PARAMS: -32602,
  SIGNING_REFUSED: -32602,
  INTERNAL: -32603,
  PARSE_ERROR: -32700,
} as const satisfies Partial<Record<ErrorCode, number>>

/** The number of an error; undefined where no standard gives it one. */
export const getRpcCode = (code: ErrorCode): number | undefined =>
  (rpcCodes as Partial<Record<ErrorCode, number>>)[code]
