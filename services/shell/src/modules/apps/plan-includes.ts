/** SQL that is true when the plan `p` includes the app: a plan that names no apps includes all of them. */
export const planIncludes = (appId: 'a.id'): string => `(p.service_ids = '{}' or ${appId} = any(p.service_ids))`;
