import { ConnectButton, LatchkeyProvider } from '@latchkey/react'
import { latchkeyOne } from '@latchkey/react/networks'
import '@latchkey/react/theme.css'
import { headers } from 'next/headers'

const config = { projectId: 'local', apiUrl: 'http://127.0.0.1:3000', networks: [latchkeyOne] }
export const metadata = { title: 'Latchkey with Next.js', icons: 'data:,' }

export default async function Layout({ children }) {
  const nonce = (await headers()).get('x-nonce') ?? undefined
  return (
    <html lang="en">
      <body>
        {/* The development wallet of `npm start`. */}
        <script type="module" nonce={nonce} src="http://127.0.0.1:3002/announce.js" />
        <LatchkeyProvider config={config}>
          <ConnectButton />
          {children}
        </LatchkeyProvider>
      </body>
    </html>
  )
}
