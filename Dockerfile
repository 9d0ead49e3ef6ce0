# The image of any service of the platform, its front-end inside, and of the operator:
#   docker build --build-arg SERVICE=services/shell -t satellite/shell .
#   docker build --build-arg SERVICE=operator --build-arg PORT=8081 --build-arg NODE_FLAGS="…" -t satellite/operator .
# with the flags of `npm start` in operator/package.json; `make images` knows them.
# The build stage is the same for all of them, so several images cost one build. The service starts with the image's
# own arguments; `migrate` as the argument brings the database up to date and ends.
ARG NODE_IMAGE=docker.io/library/node:24.21.0-bookworm-slim

# What npm reads, and nothing else: a change of sources does not install again.
FROM ${NODE_IMAGE} AS manifests
WORKDIR /all
COPY . .
RUN mkdir /manifests \
 && find . -name node_modules -prune -o \( -name package.json -o -name package-lock.json -o -name .npmrc \) -exec cp --parents -t /manifests {} +

FROM ${NODE_IMAGE} AS build
WORKDIR /platform
COPY --from=manifests /manifests ./
RUN npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
COPY . .
ENV PATH=/platform/node_modules/.bin:$PATH
RUN node hack/tools/generate.mjs && node hack/tools/build.mjs
ARG SERVICE
RUN node hack/docker/image-files.mjs "${SERVICE}" /image

FROM ${NODE_IMAGE} AS packages
WORKDIR /platform
COPY --from=manifests /manifests ./
ARG SERVICE
# By name: by its folder npm would take the front-end below it too. Without its devDependencies: omitting them still
# follows those that are workspaces.
RUN (cd "${SERVICE}" && npm pkg delete devDependencies) \
 && npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund --loglevel=error --workspace="$(node -p "require('./${SERVICE}/package.json').name")" \
 && rm -f .npmrc package-lock.json

FROM ${NODE_IMAGE}
ARG SERVICE
# Flags of Node.js, such as the heap's shape. Source maps are read whole at the start: 30 MB in the operator.
ARG NODE_FLAGS="--enable-source-maps"
ARG VERSION=0.0.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="satellite ${SERVICE}" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.source="https://github.com/satellite-platform/satellite-platform"
# Where it listens: the service's API, and the operator's probes.
ARG PORT=3000
ENV NODE_ENV=production NODE_OPTIONS="${NODE_FLAGS}" \
    APP_ENV_HOST=0.0.0.0 APP_ENV_PORT=${PORT} OPERATOR_HEALTH_HOST=0.0.0.0 OPERATOR_HEALTH_PORT=${PORT}
EXPOSE ${PORT}
COPY --from=packages /platform /platform
COPY --from=build /image /platform
WORKDIR /platform/${SERVICE}
# The user `node` of the base image, by number: Kubernetes checks runAsNonRoot by numbers.
USER 1000:1000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s CMD ["node", "/platform/healthcheck.mjs"]
ENTRYPOINT ["node", "main.js"]
