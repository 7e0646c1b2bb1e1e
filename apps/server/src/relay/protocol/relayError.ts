/** The `error` member of a relay's response. `data` is the tag that clients compare. */
export type RelayError = { readonly code: number; readonly message: string; readonly data: Tag }

/**
 * Codes of the relay protocol: -32600 and below for an invalid frame, -32000 for a failed request,
 * 3001 for too many requests.
 */
const table = {
  Serialization: [-32600, 'The frame is not valid JSON'],
  InvalidJsonRpcVersion: [-32600, 'The frame is not JSON-RPC 2.0'],
  InvalidRequestId: [-32600, 'The request id is missing or not valid'],
  InvalidMethod: [-32601, 'The method is not available'],
  InvalidParams: [-32600, 'The parameters are not valid'],
  InvalidTopic: [-32600, 'A topic is 64 lower-case hexadecimal digits'],
  PayloadSizeExceeded: [-32600, 'Payload size limit exceeded'],
  BatchLimitExceeded: [-32600, 'A batch holds at most 500 entries'],
  BatchEmpty: [-32600, 'A batch holds at least one entry'],
  TtlTooShort: [-32000, 'The ttl is at least one second'],
  MailboxLimitExceeded: [-32000, 'The mailbox of this topic is full'],
  SubscriberLimitExceeded: [-32000, 'Too many subscriptions'],
  CreateTopicFailed: [-32000, 'The topic could not be created'],
  SubscribeFailed: [-32000, 'The subscription could not be made'],
  PublishFailed: [-32000, 'The message could not be stored'],
  Internal: [-32603, 'Something went wrong'],
} as const satisfies Record<string, readonly [code: number, message: string]>

export type Tag = keyof typeof table

/** The error with the tag `tag`. */
export function relayError(tag: Tag): RelayError {
  const [code, message] = table[tag]
  return { code, message, data: tag }
}

/** Whether `text` is the tag of a relay error. */
export const isTag = (text: string): text is Tag => Object.hasOwn(table, text)
