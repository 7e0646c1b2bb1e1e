import { expect, test } from 'vitest'
import { createPage } from '../../../../test/page.ts'
import { bringToFront } from './bringToFront.ts'

const request = { requestId: 1700000000000123, topic: 'aa' }
const query = 'requestId=1700000000000123&sessionTopic=aa'

test('default', () => {
  const page = createPage()
  bringToFront({ page, href: 'metamask://', ...request })
  expect(page.opened).toEqual([
    { url: `metamask://wc?${query}`, target: '_self', features: 'noreferrer noopener' },
  ])
})

test('behavior: a page without focus opens nothing', () => {
  const page = createPage()
  page.hasFocus = false
  bringToFront({ page, href: 'metamask://', ...request })
  expect(page.opened).toEqual([])
})

test.each([
  ['_top', { isFramed: true }, 'metamask://'],
  ['_blank', { isTelegram: true }, 'metamask://'],
  ['_blank', {}, 'https://rnbwapp.com/'],
])('behavior: opens in %s (%o, %s)', (target, parameters, href) => {
  const page = createPage(parameters)
  bringToFront({ page, href, ...request })
  expect(page.opened[0]?.target).toBe(target)
})

test.each([
  ['https://t.me/wallet/start', `https://t.me/wallet/start?startapp=`],
  ['https://t.me/wallet/start/', `https://t.me/wallet/start?startapp=`],
  ['https://t.me/wallet?attach=x', `https://t.me/wallet?attach=x&startapp=`],
])('behavior: %s gets one parameter in base64 without padding', (href, expected) => {
  const page = createPage()
  bringToFront({ page, href, ...request })
  expect(page.opened[0]?.url).toBe(`${expected}${btoa(query).replaceAll('=', '')}`)
})
