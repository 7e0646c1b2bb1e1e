import { expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import { LatchkeyProvider } from '../../src/index.ts'
import '../../src/theme.css'
import { FeeRow } from '../../src/views/send/FeeRow.tsx'
import { testApp } from '../testApp.ts'

const show = async (amount: Parameters<typeof FeeRow>[0]['amount']) => {
  const { container } = await render(
    <LatchkeyProvider app={testApp()}>
      <FeeRow amount={amount} isError={false} balances={balances} />
    </LatchkeyProvider>,
  )
  return container.textContent
}

const balances = [
  {
    ...{ chainId: 'eip155:31337', name: 'Ether', symbol: 'ETH', iconUrl: '', price: 3_000 },
    ...{ value: 3_000, quantity: { numeric: '1', decimals: '18' } },
  },
] as const

const fee = { assetId: 'eip155:31337/slip44:60', decimals: 18, symbol: 'ETH' } as const

test('default: dollars follow from the shown amount', async () => {
  const text = await show({ ...fee, value: 21_000_000_000_001n })
  expect(text).toBe('0.000022 ETH≈ $0.066')
})

test('behavior: a fee below the smallest amount', async () => {
  expect(await show({ ...fee, value: 1n })).toMatch(/^< 0\.000001 ETH≈ /)
})

test('behavior: of a fee that a sponsor pays, no amount', async () => {
  const text = await show({ ...fee, value: 21_000_000_000_001n, payer: 'sponsor' })
  expect(text).toBe('Paid for you, within a daily limit')
})
