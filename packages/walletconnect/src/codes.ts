/**
 * The errors that peers send each other and that are in use, with their numbers (Sign
 * specification, error codes; CAIP-25).
 */
export const protocolCodes = {
  INVALID_UPDATE_REQUEST: { code: 1003, message: 'Invalid update request.' },
  INVALID_EXTEND_REQUEST: { code: 1004, message: 'Invalid extend request.' },
  INVALID_SESSION_SETTLE_REQUEST: { code: 1005, message: 'Invalid session settle request.' },
  INVALID_PROPOSAL_NAMESPACES: { code: 1006, message: 'Invalid proposal namespaces.' },
  UNAUTHORIZED_METHOD: { code: 3001, message: 'Unauthorized method.' },
  UNAUTHORIZED_UPDATE_REQUEST: { code: 3003, message: 'Unauthorized update request.' },
  UNAUTHORIZED_EXTEND_REQUEST: { code: 3004, message: 'Unauthorized extend request.' },
  UNAUTHORIZED_CHAIN: { code: 3005, message: 'Unauthorized chain.' },
  USER_REJECTED: { code: 5000, message: 'User rejected.' },
  USER_REJECTED_CHAINS: { code: 5001, message: 'User rejected chains.' },
  USER_REJECTED_METHODS: { code: 5002, message: 'User rejected methods.' },
  USER_REJECTED_EVENTS: { code: 5003, message: 'User rejected events.' },
  UNSUPPORTED_CHAINS: { code: 5100, message: 'Unsupported chains.' },
  UNSUPPORTED_METHODS: { code: 5101, message: 'Unsupported methods.' },
  UNSUPPORTED_ACCOUNTS: { code: 5103, message: 'Unsupported accounts.' },
  UNSUPPORTED_NAMESPACE_KEY: { code: 5104, message: 'Unsupported namespace key.' },
  USER_DISCONNECTED: { code: 6000, message: 'User disconnected.' },
  SESSION_REQUEST_EXPIRED: { code: 8000, message: 'Session request expired.' },
  UNSUPPORTED_WC_METHOD: { code: 10001, message: 'Unsupported wc_ method.' },
  MALFORMED_RESPONSE_PARAMS: { code: 11001, message: 'Malformed response params.' },
  MALFORMED_REQUEST_PARAMS: { code: 11002, message: 'Malformed request params.' },
  SIGNATURE_VERIFICATION_FAILED: { code: 11004, message: 'Signature verification failed.' },
  AUTH_REQUEST_EXPIRED: { code: 11005, message: 'Request expired.' },
  AUTH_USER_REJECTED: { code: 12001, message: 'User rejected request.' },
} as const satisfies Record<string, ProtocolError>

export type ProtocolCode = keyof typeof protocolCodes

/** The `error` of a JSON-RPC response, or the reason of a rejection or deletion. */
export type ProtocolError = { readonly code: number; readonly message: string }

/** The error of this name, with its context after the usual text. */
export const protocolError = (name: ProtocolCode, context?: string): ProtocolError =>
  context === undefined
    ? protocolCodes[name]
    : { code: protocolCodes[name].code, message: `${protocolCodes[name].message} ${context}` }
