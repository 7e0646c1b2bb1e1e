import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../root.ts'
import { groupModules } from './groupModules.ts'

test('default: the button, the modal and the code that other exports share with it are separate files', async () => {
  const files = await groupModules()
  const getFile = (path: string) => files.get(join(root, 'packages', path))
  expect(getFile('react/src/LatchkeyProvider.tsx')).toBe('start')
  expect(getFile('core/src/createApp.ts')).toBe('start')
  expect(getFile('react/src/modal/Modal.tsx')).toBe('opening')
  expect(getFile('react/src/views/connect/Connect.tsx')).toBe('opening')
  // An app's own list of wallets needs these rows, but not the modal.
  expect(getFile('react/src/views/connect/walletRows.ts')).toBe('openingParts')
  expect(getFile('react/src/hooks/useWallets.ts')).toBeUndefined()
  // Server components import the queries, which must not be in a file with components.
  for (const name of ['ownClients', 'planOptions', 'queries', 'accountQueries', 'nftQueries'])
    expect(getFile(`react/src/app/queries/${name}.ts`) ?? 'Queries').toMatch(/Queries$/)
  // The relay is a separate entry: its dependencies must not be in the same file as its importers.
  expect(getFile('walletconnect/src/createDapp.ts')).toBe('startWalletConnect')
  expect(getFile('walletconnect/src/relay/relaySocket.ts')).toBe('createRelayClientParts')
})
