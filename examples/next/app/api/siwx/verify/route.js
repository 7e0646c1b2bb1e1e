import { verifySiwx } from '@latchkey/wire/siwx'
import { cookies } from 'next/headers'

const lifetimeMs = 600_000
/** Nonces that were used, and when they are too old anyway. With more than one process, keep them in a database. */
const used = new Map()

export async function POST(request) {
  const { message, signature } = await request.json()
  const jar = await cookies()
  const nonce = jar.get('siwx-nonce')?.value
  jar.delete('siwx-nonce')
  if (!nonce || typeof message !== 'string' || typeof signature !== 'string' || !takeNonce(nonce))
    return Response.json({ field: 'nonce' }, { status: 400 })
  const domain = process.env.DOMAIN ?? '127.0.0.1:3010'
  const verdict = await verifySiwx({ message, signature }, { domain, nonce })
  if (!verdict.ok) return Response.json({ field: verdict.field }, { status: 401 })
  // Here an app starts a session of its own.
  return Response.json({ account: `${verdict.message.chainId}:${verdict.message.accountAddress}` })
}

function takeNonce(nonce) {
  const nowMs = Date.now()
  for (const [one, endMs] of used) if (endMs < nowMs) used.delete(one)
  if (used.has(nonce)) return false
  used.set(nonce, nowMs + lifetimeMs)
  return true
}
