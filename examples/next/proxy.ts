import { type NextRequest, NextResponse } from 'next/server'

const [api, wallet] = ['http://127.0.0.1:3000', 'http://127.0.0.1:3002']
const isDevelopment = process.env.NODE_ENV === 'development'

/**
 * A strict policy for each answer: nothing inline, and scripts by a nonce that is used once. In
 * development, Next.js and React need inline styles and `eval`.
 */
export function proxy(request: NextRequest) {
  const nonce = crypto.randomUUID()
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'${isDevelopment ? " 'unsafe-eval'" : ''}`,
    `style-src 'self'${isDevelopment ? " 'unsafe-inline'" : ''}`,
    "font-src 'self'",
    `img-src 'self' data: ${api}`,
    `connect-src 'self' ${api} ${api.replace('http', 'ws')}`,
    `frame-src ${wallet}`,
    "base-uri 'none'",
  ].join('; ')
  const headers = new Headers(request.headers)
  headers.set('content-security-policy', policy)
  headers.set('x-nonce', nonce)
  return NextResponse.next({ request: { headers }, headers: { 'content-security-policy': policy } })
}
