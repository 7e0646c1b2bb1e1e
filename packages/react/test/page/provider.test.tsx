import '../../src/theme.css'
import { closeModal, connect, openModal } from '@latchkey/core'
import { latchkeyOne } from '@latchkey/core/networks'
import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { LatchkeyProvider, useBalances } from '../../src/index.ts'
import { balancesQueryOptions } from '../../src/query.ts'
import { alice, announce, createFakeWallet, testApp } from '../testApp.ts'

afterEach(() => vi.restoreAllMocks())

const Total = () => <p>{useBalances().data?.length ?? 'none'} tokens</p>

test('error: a modal that cannot be drawn closes, the page stays, and the next opening tries again', async () => {
  const app = testApp()
  const warned: unknown[] = []
  app.environment.warn = (message) => warned.push(message)
  vi.spyOn(console, 'error').mockImplementation(() => {})
  await render(
    <LatchkeyProvider app={app}>
      <p>The shop</p>
    </LatchkeyProvider>,
  )
  const showModal = vi.spyOn(HTMLDialogElement.prototype, 'showModal').mockImplementation(() => {
    throw new TypeError('element.showModal is not a function')
  })
  openModal(app)
  await expect.poll(() => warned).toContain('The modal could not be drawn')
  expect(app.store.getState().modal.open).toBe(false)
  await expect.element(page.getByText('The shop')).toBeVisible()
  showModal.mockRestore()
  openModal(app)
  await expect.element(page.getByRole('dialog', { name: 'Connect wallet' })).toBeVisible()
})

test('error: a browser without ResizeObserver closes the modal, and the page stays', async () => {
  const app = testApp()
  const warned: unknown[] = []
  app.environment.warn = (message) => warned.push(message)
  vi.spyOn(console, 'error').mockImplementation(() => {})
  await render(
    <LatchkeyProvider app={app}>
      <p>The shop</p>
    </LatchkeyProvider>,
  )
  vi.stubGlobal('ResizeObserver', undefined)
  openModal(app)
  await expect.poll(() => warned).toContain('The modal could not be drawn')
  vi.unstubAllGlobals()
  await expect.element(page.getByText('The shop')).toBeVisible()
})

test('error: a modal without the style sheet is one warning', async () => {
  const app = testApp()
  const warned: unknown[] = []
  app.environment.warn = (message) => warned.push(message)
  await render(<LatchkeyProvider app={app}>The shop</LatchkeyProvider>)
  const sheets = [...document.styleSheets].filter(({ disabled }) => !disabled)
  const warnings = () => warned.filter((text) => /theme\.css/.test(String(text)))
  const openTwice = async () => {
    for (const _ of [1, 2]) {
      openModal(app)
      await expect.poll(() => document.querySelector('dialog')?.open).toBe(true)
      closeModal(app)
      await expect.poll(() => document.querySelector('dialog')?.open).toBe(false)
    }
  }
  try {
    for (const sheet of sheets) sheet.disabled = true
    await openTwice()
    expect(warnings()).toEqual([
      "The modal has no styles. Add `import '@latchkey/react/theme.css'` to the file with <LatchkeyProvider>",
    ])
  } finally {
    for (const sheet of sheets) sheet.disabled = false
  }
})

test('default: a modal with the style sheet is no warning', async () => {
  const app = testApp()
  const warned: unknown[] = []
  app.environment.warn = (message) => warned.push(message)
  await render(<LatchkeyProvider app={app}>The shop</LatchkeyProvider>)
  openModal(app)
  await expect.element(page.getByRole('dialog', { name: 'Connect wallet' })).toBeVisible()
  expect(warned.filter((text) => /theme\.css/.test(String(text)))).toEqual([])
})

test('param: queryClient: the hooks read what was prefetched by the query options', async () => {
  const silence = announce([{ name: 'Fieldwork', wallet: createFakeWallet() }])
  const app = testApp()
  const queryClient = new QueryClient()
  const options = balancesQueryOptions(app, { address: alice, chainId: 'eip155:31337' })
  queryClient.setQueryData(options.queryKey, [])
  await render(
    <LatchkeyProvider app={app} queryClient={queryClient}>
      <Total />
    </LatchkeyProvider>,
  )
  await connect(app, { connectorId: 'test.fieldwork' })
  await expect.element(page.getByText('0 tokens')).toBeVisible()
  expect(options.queryKey[0]).toBe('latchkey')
  silence()
})

test('error: a config that changes after mounting is a warning, the same config in another object is not', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const draw = (themeMode: 'dark' | 'light') => (
    <LatchkeyProvider
      config={{
        ...{ projectId: 'local', apiUrl: location.origin, networks: [latchkeyOne], debug: true },
        ...{ modal: { themeMode }, signIn: { statement: 'Hi', getMessage: () => 'Hi' } as never },
      }}
    >
      <p>The shop</p>
    </LatchkeyProvider>
  )
  const { rerender } = await render(draw('dark'))
  await rerender(draw('dark'))
  expect(warn.mock.calls.filter(([text]) => /`config` of/.test(String(text)))).toEqual([])
  await rerender(draw('light'))
  await expect
    .poll(() => warn.mock.calls.map(([text]) => String(text)))
    .toContainEqual(expect.stringContaining('has changed, which has no effect'))
})
