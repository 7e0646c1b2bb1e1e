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

/** As the directory lists it. */
const okx: DirectoryWallet = {
  ...listed('OKX Wallet', 'com.okex.wallet'),
  id: '971e689d0a5be527bac79629b4ee9b925e82208e5168b733496a09c0faed0709',
}

const names = (parameters: Parameters<typeof walletRows>[0]) =>
  walletRows(parameters).map((row) => {
    if (row.kind === 'code') return `${row.info.name} (code)`
    if (row.kind === 'here') return `${row.info.name}${row.isRecent ? ' (recent)' : ''}`
    return `${row.wallet.name}${row.kind === 'remote' ? ' (recent)' : ''}`
  })

const code: ConnectorInfo = {
  id: 'walletConnect',
  kind: 'walletConnect',
  name: 'WalletConnect',
  namespaces: ['eip155'],
  traits: { pairs: true },
}

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

  test.each([
    ['its rdns', { rdns: 'com.okex.wallet' }],
    ['its id in the directory', { walletId: okx.id }],
  ])('behavior: OKX Wallet stands once, found by %s', (_, mark) => {
    expect(
      names({
        connectors: [{ ...here('OKX'), ...mark }],
        recent: [],
        wallets: [okx, listed('Cedar')],
      }),
    ).toEqual(['OKX', 'Cedar'])
  })

  test('behavior: wallets of the app follow the featured ones, each once', () => {
    const vault: ConnectorInfo = {
      ...{ id: 'vault', kind: 'external', name: 'Vault', namespaces: ['eip155'] },
      traits: { isExternal: true },
    }
    const parameters = {
      connectors: [vault, here('Alder', 'org.alder')],
      recent: [],
      custom: [listed('Own'), listed('My Alder', 'org.alder'), listed('Elm')],
      wallets: [listed('Cedar'), listed('Oak'), listed('Elm'), listed('Vault')],
      featuredIds: ['id of Oak'],
    }
    expect(names(parameters)).toEqual(['Alder', 'Oak', 'Own', 'Elm', 'Vault', 'Cedar'])
    expect(names({ ...parameters, order: ['external', 'custom'] })).toEqual([
      ...['Vault', 'Own', 'Elm', 'Alder', 'Oak', 'Cedar'],
    ])
    const recent = [{ id: 'vault', name: 'Vault' }]
    expect(names({ ...parameters, recent })[0]).toBe('Vault (recent)')
  })

  test('behavior: a wallet that cannot be connected here is left out, also if the app names it', () => {
    const parameters = {
      connectors: [],
      recent: [],
      custom: [listed('Own')],
      wallets: [listed('Cedar'), listed('Elm'), listed('Oak')],
      featuredIds: ['id of Oak'],
    }
    const canConnect = ({ name }: DirectoryWallet) => name === 'Elm'
    expect(names(parameters)).toEqual(['Oak', 'Own', 'Cedar', 'Elm'])
    expect(names({ ...parameters, canConnect })).toEqual(['Elm'])
  })

  test('behavior: a recent wallet that is gone is left out', () => {
    expect(names({ connectors: [], recent: [{ id: 'x', name: 'Gone' }], wallets: [] })).toEqual([])
  })

  test('behavior: the code comes first, then recently used wallets, of this browser or elsewhere', () => {
    const cedar = listed('Cedar')
    expect(
      names({
        connectors: [here('Alder'), here('Birch'), code],
        recent: [
          { id: code.id, name: 'Cedar', walletId: cedar.id },
          { id: 'announced:Birch', name: 'Birch' },
        ],
        wallets: [listed('Elm'), cedar],
      }),
    ).toEqual(['WalletConnect (code)', 'Cedar (recent)', 'Birch (recent)', 'Alder', 'Elm'])
  })

  test('behavior: without the code no row leads to it', () => {
    expect(
      names({
        connectors: [here('Alder')],
        recent: [{ id: code.id, name: 'Cedar', walletId: 'c' }],
        wallets: [],
      }),
    ).toEqual(['Alder'])
  })

  test('param: order names groups that come first; featured wallets have their own group', () => {
    const parameters = {
      connectors: [code, here('Alder')],
      recent: [{ id: code.id, name: 'Cedar', walletId: 'id of Cedar' }],
      wallets: [listed('Elm'), listed('Fir')],
      featuredIds: ['id of Fir'],
    }
    expect(names(parameters)).toEqual([
      'WalletConnect (code)',
      'Cedar (recent)',
      'Alder',
      'Fir',
      'Elm',
    ])
    const order = ['recommended', 'injected'] as const
    expect(names({ ...parameters, order })).toEqual([
      'Elm',
      'Alder',
      'WalletConnect (code)',
      'Cedar (recent)',
      'Fir',
    ])
  })

  test('behavior: a wallet reached by the code that is no entry of the directory has no row', () => {
    const recent = [{ id: code.id, name: 'Unlisted' }]
    expect(names({ connectors: [code], recent, wallets: [] })).toEqual(['WalletConnect (code)'])
  })
})
