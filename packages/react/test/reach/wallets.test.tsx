import { type App, connect, openModal } from '@latchkey/core'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { external } from '../../src/connectors.ts'
import { ConnectButton, LatchkeyProvider } from '../../src/index.ts'
import '../../src/theme.css'
import { RemoteHint } from '../../src/views/pairing/RemoteHint.tsx'
import { createFakePairing } from '../fakes/fakePairing.ts'
import { readCode } from '../readCode.ts'
import { createFakeWallet, phonePage, testApp } from '../testApp.ts'
import { violations } from '../violations.ts'

async function show(app: App) {
  await render(
    <LatchkeyProvider app={app}>
      <ConnectButton />
    </LatchkeyProvider>,
  )
  return app
}

const dialog = () => page.getByRole('dialog')
const button = (name: string | RegExp) => dialog().getByRole('button', { name })
const image = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>'

const acorn = {
  ...{ id: 'acorn', name: 'Acorn', image_url: image, homepage: 'https://acorn.example' },
  ...{ mobile_link: 'acorn://', app_store: 'https://apps.example/acorn' },
}

describe('wallets of the app', () => {
  test('param: wallets.custom: a row with its picture, all its ways, and where to get it', async () => {
    const pairing = createFakePairing()
    const app = await show(testApp({ wallets: { custom: [acorn] } }, {}, { pairing }))
    await page.getByRole('button', { name: 'Connect wallet' }).click()
    await expect.element(button('Acorn')).toBeVisible()
    expect(button('Acorn').element().querySelector('img')?.getAttribute('src')).toBe(image)
    expect(await violations()).toEqual([])
    await button('Acorn').click()
    await expect.poll(() => pairing.attempts.length).toBe(1)
    await button('Get Acorn').click()
    await expect.element(dialog().getByRole('link', { name: /website/i })).toBeVisible()
    expect(
      dialog()
        .getByRole('link', { name: /website/i })
        .element()
        .getAttribute('href'),
    ).toBe('https://acorn.example')
    openModal(app, { view: { name: 'AllWallets' } })
    await expect.element(button('Acorn')).toBeVisible()
    await dialog().getByRole('searchbox').fill('acor')
    await expect.element(button('Acorn')).toBeVisible()
    await dialog().getByRole('searchbox').fill('zzzz')
    await expect.element(button('Acorn')).not.toBeInTheDocument()
  })

  test('param: connectors: a row that connects by the provider of the app', async () => {
    const wallet = createFakeWallet()
    const vault = external({ id: 'vault', name: 'Vault', getProvider: async () => wallet })
    const app = await show(testApp({ wallets: { connectors: [vault] } }))
    await page.getByRole('button', { name: 'Connect wallet' }).click()
    await expect.element(button('Vault')).toBeVisible()
    await expect.element(button('Vault')).not.toHaveTextContent('Installed')
    await button('Vault').click()
    await expect.element(dialog()).not.toBeInTheDocument()
    expect(app.store.getState().connections.eip155).toMatchObject({ connectorId: 'vault' })
  })
})

test('behavior: what waits for the confirmations of several owners says so', async () => {
  const vault = external({ id: 'vault', name: 'Vault', getProvider: createFakeWallet })
  const shared: typeof vault = (app) => {
    const connector = vault(app)
    const traits = { ...connector?.info.traits, collectsConfirmations: true }
    return connector && { ...connector, info: { ...connector.info, traits } }
  }
  const app = testApp({ wallets: { connectors: [shared] } })
  await connect(app, { connectorId: 'vault' })
  const { container } = await render(
    <LatchkeyProvider app={app}>
      <RemoteHint />
    </LatchkeyProvider>,
  )
  await expect
    .poll(() => container.textContent)
    .toContain('The owners of this Vault confirm transactions together')
})

describe('without a relay for phones', () => {
  const device = (userAgent: string) => ({
    ...phonePage(),
    navigator: { userAgent, maxTouchPoints: 0 },
    location: { ...location, href: 'https://app.example/', assign: () => {} },
  })
  const cypress = { id: 'cypress', name: 'Cypress', mobile_link: 'cypress://' }
  const config = {
    wallets: {
      custom: [{ ...acorn, dapp_link: 'https://acorn.example/dapp?url={url}' }, cypress],
      walletConnect: {},
    },
  }
  const href = 'https://acorn.example/dapp?url=https%3A%2F%2Fapp.example%2F'
  const open = () => page.getByRole('button', { name: 'Connect wallet' }).click()

  test('default: a computer shows a code that opens the page in the wallet', async () => {
    const pairing = createFakePairing()
    await show(testApp(config, {}, { pairing, page: device('Mozilla/5.0 (X11; Linux x86_64)') }))
    await open()
    await expect.element(button('Acorn')).toHaveTextContent('QR code')
    await expect.element(button('Cypress')).toHaveTextContent('Get')
    await button('Acorn').click()
    const code = dialog().getByRole('img', { name: 'QR code that opens this page in Acorn' })
    await expect.element(code).toBeVisible()
    const read = () => readCode(code.element().parentElement as Element).catch(String)
    await expect.poll(read).toBe(href)
    await expect
      .element(dialog().getByText(/This page opens in Acorn: connect there/))
      .toBeVisible()
    expect(await violations()).toEqual([])
    expect(pairing.attempts).toEqual([])
    await button('Back').click()
    await button('Cypress').click()
    await expect.element(dialog().getByText(/can’t connect to .* on phones/)).toBeVisible()
    await button('Back').click()
    await button('WalletConnect').click()
    await expect.element(dialog().getByText(/set up for this site/)).toBeVisible()
  })

  test('default: a phone opens the page in the wallet', async () => {
    await page.viewport(390, 844)
    const phone = device('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)')
    await show(testApp(config, {}, { pairing: createFakePairing(), page: phone }))
    await open()
    await expect.element(button('Acorn')).toHaveTextContent('App')
    // The server's recommended wallets listen at no relay here.
    const expectOnlyAcorn = async () => {
      await expect.element(button('Acorn')).toBeVisible()
      for (const name of [/^Alder/, 'Cypress'])
        await expect.element(button(name)).not.toBeInTheDocument()
    }
    await expectOnlyAcorn()
    await expect.element(button('All wallets')).not.toHaveTextContent(/\d/)
    await button('All wallets').click()
    await expectOnlyAcorn()
    await dialog().getByRole('searchbox').fill('alder')
    await expect.element(dialog().getByText('No wallet found')).toBeVisible()
    await button('Back').click()
    await button('Acorn').click()
    await button('Open').click()
    expect(phone.opened).toEqual([[href, '_self']])
  })

  test('behavior: on a phone that reaches no wallet, the advice is to open the page in one', async () => {
    await page.viewport(390, 844)
    const phone = device('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)')
    const none = { wallets: { custom: [cypress], walletConnect: {} } }
    const app = await show(testApp(none, {}, { pairing: createFakePairing(), page: phone }))
    await open()
    const expectAdvice = async () => {
      await expect.element(dialog().getByText('Open this page in your wallet')).toBeVisible()
      await expect.element(button('Copy the address of this page')).toBeVisible()
      for (const name of ['All wallets', 'Cypress', /^Alder/, /^Explore/])
        await expect.element(button(name)).not.toBeInTheDocument()
      expect(await violations()).toEqual([])
    }
    await expectAdvice()
    await button('WalletConnect').click()
    await expectAdvice()
    openModal(app, { view: { name: 'GetAWallet' } })
    await expectAdvice()
  })
})
