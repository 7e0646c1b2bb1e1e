import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'

const hmac = (secret: Uint8Array, text: string) => createHmac('sha256', secret).update(text)

/** The headers of a signed message (https://www.standardwebhooks.com). */
export function signMessage(secret: Uint8Array, body: string): Record<string, string> {
  const id = `msg_${randomUUID()}`
  const timestamp = String(Math.floor(Date.now() / 1000))
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${hmac(secret, `${id}.${timestamp}.${body}`).digest('base64')}`,
  }
}

/** Whether a message with these headers is signed. */
export function isMessageSigned(
  secret: Uint8Array,
  { body, headers }: { body: string; headers: Record<string, unknown> },
): boolean {
  const text = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const signature = String(headers['webhook-signature'])
  return isSame(`v1,${hmac(secret, text).digest('base64')}`, signature)
}

/** Whether the last parameter of a checkout's URL signs everything before it. */
export function isUrlSigned(secret: Uint8Array, url: string): boolean {
  const [, text = '', signature = ''] = /^(.*&signature=)([\w-]+)$/.exec(url) ?? []
  return isSame(hmac(secret, text).digest('base64url'), signature)
}

function isSame(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)]
  return first.length === second.length && timingSafeEqual(first, second)
}
