import { NextResponse } from 'next/server'

/** A strict policy for each answer: nothing inline, and scripts by a nonce that is used once. */
export function proxy(request) {
  const nonce = crypto.randomUUID()
  const [api, wallet] = ['http://127.0.0.1:3000', 'http://127.0.0.1:3002']
  const policy = `default-src 'none'; script-src 'nonce-${nonce}' 'strict-dynamic'; style-src 'self'; font-src 'self'; img-src 'self' data: ${api}; connect-src 'self' ${api} ${api.replace('http', 'ws')}; frame-src ${wallet}; base-uri 'none'`
  const headers = new Headers(request.headers)
  headers.set('content-security-policy', policy)
  headers.set('x-nonce', nonce)
  return NextResponse.next({ request: { headers }, headers: { 'content-security-policy': policy } })
}
