FROM golang:1.26 AS build
# An older 1.26 image fetches the toolchain that go.mod names.
ENV GOTOOLCHAIN=auto CGO_ENABLED=0
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN go build -trimpath -ldflags "-s -w" -o /out/lectern . && mkdir /out/data

FROM gcr.io/distroless/static-debian12:nonroot
COPY --from=build /out/lectern /lectern
# The volume takes over the folder's owner, so the unprivileged user can write.
COPY --from=build --chown=65532:65532 /out/data /data
ENV LECTERN_ADDR=0.0.0.0:8080 LECTERN_DATA_DIR=/data
VOLUME /data
EXPOSE 8080
ENTRYPOINT ["/lectern"]
CMD ["serve"]
