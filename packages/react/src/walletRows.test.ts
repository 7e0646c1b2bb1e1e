import type { ConnectorInfo } from '@latchkey/core'
import type { DirectoryWallet } from '@latchkey/wire'
import { describe, expect, test } from 'vitest'
import { walletRows } from './walletRows.ts'

const here = (name: string, rdns?: string): ConnectorInfo => ({
  id: `announced:${name}`,
  kind: 'announced',
  name,
  namespaces: ['eip155'],
  ...(rdns && { rdns }),
})
const listed = (name: string, rdns: string | null = null): DirectoryWallet =>
  ({ id: `id of ${name}`, name, rdns, image_id: '', chains: [] }) as unknown as DirectoryWallet

const names = (parameters: Parameters<typeof walletRows>[0]) =>
  walletRows(parameters).map((row) =>
    row.kind === 'here' ? `${row.info.name}${row.isRecent ? ' (recent)' : ''}` : row.wallet.name,
  )

describe('walletRows', () => {
  test('default', () => {
    expect(
      names({
        connectors: [here('Alder'), here('Birch')],
        recent: [{ id: 'announced:Birch', name: 'Birch' }],
        wallets: [listed('Cedar')],
      }),
    ).toEqual(['Birch (recent)', 'Alder', 'Cedar'])
  })

  test('behavior: a wallet stands once, matched by rdns before name', () => {
    expect(
      names({
        connectors: [here('Alder', 'org.alder'), here('Birch')],
        recent: [],
        wallets: [
          listed('Alder Wallet', 'org.alder'),
          listed('birch'),
          listed('Alder', 'org.other'),
        ],
      }),
    ).toEqual(['Alder', 'Birch', 'Alder'])
  })

  test('behavior: a recent wallet that is gone is left out', () => {
    expect(names({ connectors: [], recent: [{ id: 'x', name: 'Gone' }], wallets: [] })).toEqual([])
  })
})
