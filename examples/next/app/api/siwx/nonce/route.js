import { randomBytes } from 'node:crypto'
import { cookies } from 'next/headers'

export async function GET() {
  const nonce = randomBytes(16).toString('hex')
  const jar = await cookies()
  jar.set('siwx-nonce', nonce, { httpOnly: true, sameSite: 'strict', secure: true, maxAge: 600 })
  return Response.json({ nonce })
}
