import { cookieToInitialState } from '@latchkey/react/ssr'
import '@latchkey/react/theme.css'
import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { type ReactNode, Suspense } from 'react'
import { Providers } from './providers'

export const metadata: Metadata = { title: 'Latchkey with Next.js', icons: 'data:,' }

/**
 * Renders each page at the request: a page that is rendered before cannot have the nonce of the
 * policy. An app without a nonce needs neither the boundary nor `headers`.
 */
export default function Layout({ children }: { children: ReactNode }) {
  return (
    <Suspense>
      <Document>{children}</Document>
    </Suspense>
  )
}

async function Document({ children }: { children: ReactNode }) {
  const sent = await headers()
  const nonce = sent.get('x-nonce') ?? undefined
  // The account of the last page, so that the first HTML shows it.
  const initialState = cookieToInitialState({}, sent.get('cookie'))
  return (
    <html lang="en">
      <body>
        {/* The development wallet of `npm start`. */}
        <script type="module" nonce={nonce} src="http://127.0.0.1:3002/announce.js" />
        <Providers initialState={initialState}>{children}</Providers>
      </body>
    </html>
  )
}
