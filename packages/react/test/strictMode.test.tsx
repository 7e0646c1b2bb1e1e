import { latchkeyOne } from '@latchkey/core/internal'
import { StrictMode } from 'react'
import { expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import { LatchkeyProvider } from '../src/LatchkeyProvider.tsx'

test('behavior: strict mode makes one app', async () => {
  let asked = 0
  // Each app requests the wallets once (EIP-6963).
  const count = () => {
    asked += 1
  }
  window.addEventListener('eip6963:requestProvider', count)
  const config = { projectId: 'local', apiUrl: location.origin, networks: [latchkeyOne] } as const
  const screen = await render(
    <StrictMode>
      <LatchkeyProvider config={config}>shown</LatchkeyProvider>
    </StrictMode>,
  )
  await expect.element(screen.getByText('shown')).toBeVisible()
  expect(asked).toBe(1)
  window.removeEventListener('eip6963:requestProvider', count)
})
