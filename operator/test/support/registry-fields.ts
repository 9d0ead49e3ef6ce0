import { isDeepStrictEqual } from 'node:util';
import { clone, create } from '@bufbuild/protobuf';
import { AppSchema, FieldDifferenceSchema, OrganizationSelectionSchema, type App, type FieldDifference, type NavigationItem, type UiCanary } from '@satellite/proto/registry/v1';

/** The entry as a registry stores it: defaults filled in, lists that have no order sorted. */
export function normalized(app: App): App {
  const stored = clone(AppSchema, app);
  const selection = stored.organizations ?? create(OrganizationSelectionSchema, { all: true });
  stored.status ||= 'active';
  stored.metadata ??= {};
  stored.organizationPercent = selection.all ? stored.organizationPercent || 100 : 100;
  const counts = !selection.all || stored.organizationPercent < 100;
  stored.organizations = create(OrganizationSelectionSchema, { all: selection.all, slugs: counts ? [...new Set(selection.slugs)].sort() : [] });
  if (stored.uiCanary) stored.uiCanary.metadata ??= {};
  stored.permissions.sort((a, b) => (a.code < b.code ? -1 : 1));
  stored.limitKeys.sort((a, b) => (a.key < b.key ? -1 : 1));
  return stored;
}

/** Fields in which two normalized entries differ. */
export function differencesBetween(before: App, after: App): FieldDifference[] {
  const [old, next] = [fieldsOf(before), fieldsOf(after)];
  return Object.keys(next)
    .filter((field) => !isDeepStrictEqual(old[field], next[field]))
    .map((field) => create(FieldDifferenceSchema, { field, before: JSON.stringify(old[field]), after: JSON.stringify(next[field]) }));
}

/** Proto has no absent strings: where a registry knows absence, empty means absent. */
function fieldsOf(app: App): Record<string, unknown> {
  const { slug, name, type, apiUrl, status, metadata, organizations, organizationPercent, uiCanary } = app;
  return {
    slug, name, type, apiUrl, status, metadata,
    uiUrl: app.uiUrl || null,
    icon: app.icon || null,
    description: app.description || null,
    category: app.category || null,
    version: app.version || null,
    permissions: app.permissions.map(({ code, description }) => ({ code, description })),
    limitKeys: app.limitKeys.map(({ key, description }) => ({ key, description })),
    navigation: app.navigation.map(navigationFields),
    organizations: { all: organizations?.all, slugs: organizations?.slugs },
    organizationPercent,
    uiCanary: uiCanary ? canaryFields(uiCanary) : null,
  };
}

function canaryFields({ uiUrl, version, metadata, navigation, percent }: UiCanary): object {
  return { uiUrl: uiUrl || null, version: version || null, metadata, navigation: navigation.map(navigationFields), percent };
}

function navigationFields({ title, path, icon, permission }: NavigationItem): object {
  return { title, path, ...(icon && { icon }), ...(permission && { permission }) };
}
