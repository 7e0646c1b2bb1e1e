const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.*\bSafari\//, 'Safari'],
]
const systems: readonly (readonly [RegExp, string])[] = [
  [/\b(iPhone|iPod)\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'Mac'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

/**
 * The name of a browser, for example `Firefox on Linux`. It contains only names from our tables, so
 * the header cannot inject other words.
 */
export function getBrowserName(userAgent: string | undefined): string {
  const findName = (table: typeof browsers) =>
    table.find(([pattern]) => pattern.test(userAgent?.slice(0, 500) ?? ''))?.[1]
  return `${findName(browsers) ?? 'A browser'} on ${findName(systems) ?? 'an unknown system'}`
}
