'use client'

import { type Config, LatchkeyProvider } from '@latchkey/react'
import { safe } from '@latchkey/react/connectors'
import { latchkeyOne } from '@latchkey/react/networks'
import { type ReactNode, useState } from 'react'

// In a file for the browser, because a server component cannot pass functions to a component of
// the browser, such as the functions in `connectors`.
const config: Config = {
  projectId: 'local',
  apiUrl: 'http://127.0.0.1:3000',
  networks: [latchkeyOne],
  ssr: true,
  wallets: { connectors: [safe({ allowedOrigins: ['https://app.safe.global'] })] },
}

type Props = { initialState: Config['initialState']; children: ReactNode }

export function Providers({ initialState, children }: Props) {
  const [rendered] = useState({ ...config, initialState })
  return <LatchkeyProvider config={rendered}>{children}</LatchkeyProvider>
}
