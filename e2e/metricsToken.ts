/** Opens the metrics of the server that counts events. */
export const metricsToken = 'metrics-of-these-tests'
