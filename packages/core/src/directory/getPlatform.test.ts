import { expect, test } from 'vitest'
import { createPage, userAgents } from '../../test/page.ts'
import { getPlatform } from './getPlatform.ts'

const desktop = {
  isPhone: false,
  isIos: false,
  isAndroid: false,
  isTelegram: false,
  isFramed: false,
}

test('default', () => {
  expect(getPlatform({ page: createPage() })).toEqual(desktop)
})

test('behavior: a server is a desktop', () => {
  expect(getPlatform({ page: undefined })).toEqual(desktop)
})

test.each([
  ['an iPhone', { userAgent: userAgents.iphone }, { isPhone: true, isIos: true }],
  ['an Android phone', { userAgent: userAgents.android }, { isPhone: true, isAndroid: true }],
  ['an iPad that says Macintosh', { maxTouchPoints: 5 }, { isPhone: true, isIos: true }],
  ['Telegram', { isTelegram: true }, { isTelegram: true }],
  ['a frame', { isFramed: true }, { isFramed: true }],
])('behavior: %s', (_, page, expected) => {
  expect(getPlatform({ page: createPage(page) })).toEqual({ ...desktop, ...expected })
})
