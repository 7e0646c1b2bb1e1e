// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {Base64} from "@openzeppelin/contracts/utils/Base64.sol";
import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";

/// An ERC-721 for development chains: anyone may mint, and picture and metadata are on the chain.
contract DevKeys is ERC721("Dev Keys", "dKEY") {
    using Strings for uint256;

    uint256 public totalSupply;

    function mint(address to) external returns (uint256 tokenId) {
        tokenId = ++totalSupply;
        _mint(to, tokenId);
    }

    function tokenURI(uint256 tokenId) public view override returns (string memory) {
        _requireOwned(tokenId);
        bytes memory json = abi.encodePacked(
            '{"name":"Dev Key #', tokenId.toString(),
            '","description":"A key to nothing, for development.","image":"data:image/svg+xml;base64,',
            Base64.encode(_picture(tokenId)),
            '","attributes":[{"trait_type":"Hue","value":', _hue(tokenId).toString(), "}]}"
        );
        return string.concat("data:application/json;base64,", Base64.encode(json));
    }

    function _hue(uint256 tokenId) private pure returns (uint256) {
        return (tokenId * 137) % 360;
    }

    function _picture(uint256 tokenId) private pure returns (bytes memory) {
        return abi.encodePacked(
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" fill="hsl(',
            _hue(tokenId).toString(),
            ',60%,45%)"/><g fill="none" stroke="#fff" stroke-width="5"><circle cx="23" cy="32" r="9"/><path d="M32 32h20v8M44 32v6"/></g></svg>'
        );
    }
}
