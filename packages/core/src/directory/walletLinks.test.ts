import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createPage, userAgents } from '../../test/page.ts'
import { getPlatform } from './getPlatform.ts'
import { walletLinks } from './walletLinks.ts'

const uri = 'wc:aa@2?relay-protocol=irn&symKey=bb'
const encoded = 'wc%3Aaa%402%3Frelay-protocol%3Dirn%26symKey%3Dbb'
const platform = getPlatform({ page: createPage() })
const pageUrl = 'https://app.example/swap?from=eth'
const none = { mobile_link: null, link_mode: null, desktop_link: null, webapp_link: null }
const links = (
  wallet: Partial<Record<keyof typeof none, string>>,
  more: Partial<Parameters<typeof walletLinks>[0]> = {},
) =>
  walletLinks({
    wallet: { ...none, ...wallet },
    uri,
    platform,
    pageUrl,
    chainId: 'eip155:1',
    ...more,
  })

test('default', () => {
  expect(
    links({
      mobile_link: 'metamask://',
      link_mode: 'https://metamask.app.link/wc',
      desktop_link: 'ledgerlive',
      webapp_link: 'https://app.safe.global',
    }),
  ).toEqual({
    mobile: { href: `metamask://wc?uri=${encoded}`, base: 'metamask://' },
    universal: {
      href: `https://metamask.app.link/wc/wc?uri=${encoded}`,
      base: 'https://metamask.app.link/wc/',
    },
    webapp: {
      href: `https://app.safe.global/wc?uri=${encoded}`,
      base: 'https://app.safe.global/',
      opensPage: true,
    },
    desktop: { href: `ledgerlive://wc?uri=${encoded}`, base: 'ledgerlive://' },
  })
})

test('param: a wallet without links returns no link', () => {
  expect(links({})).toEqual({})
})

test('param: platform Telegram on Android encodes the uri twice', () => {
  const page = createPage({ userAgent: userAgents.android, isTelegram: true })
  expect(links({ mobile_link: 'trust://' }, { platform: getPlatform({ page }) }).mobile?.href).toBe(
    `trust://wc?uri=${encodeURIComponent(encoded)}`,
  )
  const ios = createPage({ userAgent: userAgents.iphone, isTelegram: true })
  expect(
    links({ mobile_link: 'trust://' }, { platform: getPlatform({ page: ios }) }).mobile?.href,
  ).toBe(`trust://wc?uri=${encoded}`)
})

describe('behavior: wallets that only take pages opened in their own browser', () => {
  const url = 'https%3A%2F%2Fapp.example%2Fswap%3Ffrom%3Deth'
  const origin = 'https%3A%2F%2Fapp.example'
  test.each([
    ['phantom://', `https://phantom.app/ul/browse/${url}?ref=${origin}`],
    ['solflare://', `https://solflare.com/ul/v1/browse/${url}?ref=${origin}`],
  ])('%s', (mobile_link, href) => {
    expect(links({ mobile_link })).toEqual({ browser: { href } })
  })

  test('cbwallet:// on Solana alone', () => {
    expect(links({ mobile_link: 'cbwallet://' })).toHaveProperty('mobile')
    expect(
      links({ mobile_link: 'cbwallet://' }, { chainId: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' }),
    ).toEqual({ browser: { href: `https://go.cb-w.com/dapp?cb_url=${url}` } })
  })
})

describe('the base of a link', () => {
  const baseOf = (mobile_link: string | null | undefined) =>
    walletLinks({
      wallet: { ...none, mobile_link: mobile_link as string | null },
      ...{ uri, platform, pageUrl, chainId: 'eip155:1' },
    }).mobile?.base

  test.each([
    ['metamask', 'metamask://'],
    ['metamask:', 'metamask://'],
    ['metamask:/', 'metamask://'],
    ['metamask://', 'metamask://'],
    [' trust://open ', 'trust://open/'],
    ['https://rnbwapp.com', 'https://rnbwapp.com/'],
    ['https://rnbwapp.com/', 'https://rnbwapp.com/'],
  ])('behavior: %s is %s', (base, expected) => {
    expect(baseOf(base)).toBe(expected)
  })

  test.each([
    ['nothing', ''],
    ['null', null],
    ['undefined', undefined],
    ['a script', 'javascript:alert(1)//'],
    ['a script in other letters', ' JaVaScRiPt:alert(1)'],
    ['a data URL', 'data:text/html,<script>'],
    ['a blob', 'blob:https://app.example/1'],
    ['a broken address', 'https://'],
    ['quotes', 'trust://"onclick="'],
    ['a line break', 'trust://a\nb'],
    ['no scheme at all', '//evil.example'],
  ])('error: %s is no link', (_, base) => {
    expect(baseOf(base)).toBeUndefined()
  })

  test('behavior: a link is never a script for the page, for any directory entry', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const base = baseOf(text)
        if (base === undefined) return
        expect(base).not.toMatch(/^\s*(javascript|data|vbscript|file|blob|about):/i)
        expect(base.endsWith('/')).toBe(true)
        expect(baseOf(base)).toBe(base)
      }),
    )
  })
})

describe('without a relay', () => {
  const dapp = (dapp_link: string, more: Partial<Parameters<typeof walletLinks>[0]> = {}) =>
    walletLinks({
      wallet: { ...none, dapp_link, mobile_link: 'alder://' },
      ...{ uri: undefined, platform, pageUrl, chainId: 'eip155:1', ...more },
    })

  test('default', () => {
    expect(dapp('https://go.alder.example/dapp?url={url}')).toEqual({
      browser: {
        href: 'https://go.alder.example/dapp?url=https%3A%2F%2Fapp.example%2Fswap%3Ffrom%3Deth',
      },
    })
    expect(dapp('alder://open/{page}')).toEqual({
      browser: { href: 'alder://open/app.example/swap' },
    })
    expect(dapp('https://a.example/?to=a%3A%2F%2Fb%3Furl%3D{url2}').browser?.href).toContain(
      'url%3Dhttps%253A%252F%252Fapp.example%252Fswap%253Ffrom%253Deth',
    )
  })

  test('behavior: with a relay the wallet is paired', () => {
    expect(Object.keys(dapp('alder://open/{page}', { uri }))).toEqual(['mobile'])
  })

  test('error: a page that no phone can open, and a link that would run', () => {
    for (const url of ['http://app.example', 'https://localhost:3000', 'https://127.0.0.1', ''])
      expect(dapp('alder://open/{page}', { pageUrl: url })).toEqual({})
    expect(dapp('javascript:alert({url})')).toEqual({})
  })
})
