/** Turns off Firefox's background requests: by a setting if available, else by an empty URL. */
const silent = {
  'app.normandy.enabled': false,
  'app.update.disabledForTesting': true,
  'browser.aboutwelcome.enabled': false,
  'browser.contentblocking.report.lockwise.enabled': false,
  'browser.newtabpage.activity-stream.feeds.system.topsites': false,
  'browser.newtabpage.enabled': false,
  'browser.region.network.url': '',
  'browser.safebrowsing.blockedURIs.enabled': false,
  'browser.safebrowsing.downloads.enabled': false,
  'browser.safebrowsing.malware.enabled': false,
  'browser.safebrowsing.phishing.enabled': false,
  'browser.safebrowsing.provider.google4.updateURL': '',
  'browser.safebrowsing.provider.mozilla.updateURL': '',
  'browser.search.update': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.homepage': 'about:blank',
  'browser.startup.page': 0,
  'browser.tabs.warnOnClose': false,
  'datareporting.healthreport.uploadEnabled': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'datareporting.usage.uploadEnabled': false,
  'datareporting.policy.dataSubmissionPolicyBypassNotification': true,
  'dom.push.connection.enabled': false,
  'extensions.getAddons.cache.enabled': false,
  'extensions.systemAddon.update.enabled': false,
  'extensions.update.enabled': false,
  'media.gmp-manager.updateEnabled': false,
  'media.gmp-manager.url': '',
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'network.trr.mode': 5,
  'security.remote_settings.crlite_filters.enabled': false,
  'services.settings.server': 'data:,#remote-settings-dummy/v1',
  'startup.homepage_welcome_url': '',
  'toolkit.telemetry.reportingpolicy.firstRun': false,
  'telemetry.fog.test.localhost_port': -1,
  'toolkit.telemetry.server': '',
  'toolkit.telemetry.unified': false,
} as const

/** The user.js of a profile. Everything that is not on this machine goes through a proxy. */
export const preferences = ({ proxyPort }: { proxyPort: number }): string =>
  Object.entries({
    ...silent,
    'ui.prefersReducedMotion': 1,
    // The list a driver usually sets turns the pop-up blocker off, but these tests need it.
    'remote.prefs.recommended': false,
    'network.proxy.type': 1,
    'network.proxy.http': '127.0.0.1',
    'network.proxy.http_port': proxyPort,
    'network.proxy.ssl': '127.0.0.1',
    'network.proxy.ssl_port': proxyPort,
    'network.proxy.no_proxies_on': 'localhost, 127.0.0.1',
  })
    .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
    .join('')
