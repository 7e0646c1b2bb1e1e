import { createHmac, timingSafeEqual } from 'node:crypto'

/** By how many seconds a webhook may be older or newer than our clock. */
const toleranceSeconds = 300

/**
 * The bytes of a secret in the format of Standard Webhooks, `whsec_` and base64 of 24 to 64 bytes.
 */
export function decodeSecret(text: string): Buffer | undefined {
  const [, base64] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? []
  const bytes = Buffer.from(base64 ?? '', 'base64')
  return bytes.length >= 24 && bytes.length <= 64 ? bytes : undefined
}

/** The signed parts of a webhook: its id, its time in seconds and its body, as received. */
export type SignedWebhook = {
  readonly id: string
  readonly timestamp: string
  readonly body: string
}

/** The signature of a webhook (Standard Webhooks, `v1`: HMAC-SHA256 in base64). */
export const signWebhook = (secret: Uint8Array, { id, timestamp, body }: SignedWebhook): string =>
  `v1,${createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')}`

/**
 * Whether any of the signatures in the header (separated by spaces, so that secrets can be
 * replaced) was made with the secret, and the time is near enough to `nowMs`. Compares in constant
 * time.
 */
export function isWebhookSigned(
  secret: Uint8Array,
  webhook: SignedWebhook,
  { signatures, nowMs }: { readonly signatures: string; readonly nowMs: number },
): boolean {
  if (!/^\d{1,12}$/.test(webhook.timestamp)) return false
  if (Math.abs(nowMs / 1000 - Number(webhook.timestamp)) > toleranceSeconds) return false
  const expected = Buffer.from(signWebhook(secret, webhook))
  let isSigned = false
  for (const text of signatures.split(' ').slice(0, 8)) {
    const given = Buffer.from(text)
    if (given.length === expected.length && timingSafeEqual(given, expected)) isSigned = true
  }
  return isSigned
}
